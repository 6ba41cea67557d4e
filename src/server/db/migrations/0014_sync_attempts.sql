-- Attempts since the last progress that ended because their process ended. The third ends the run.
ALTER TABLE sync_run ADD COLUMN lost_attempts integer NOT NULL DEFAULT 0;
