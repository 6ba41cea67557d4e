-- Attempts since the last progress that ended with their process: three in a row end the run.
ALTER TABLE sync_run ADD COLUMN lost_attempts integer NOT NULL DEFAULT 0;
