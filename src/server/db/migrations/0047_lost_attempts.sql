-- Works since 0020_finding.sql
-- As in `sync_run`: the attempts in a row that ended with their process. `process` is the process
-- of the latest attempt until that ends; processes of the former release leave it empty.
ALTER TABLE step_run ADD COLUMN lost_attempts integer NOT NULL DEFAULT 0, ADD COLUMN process uuid;
ALTER TABLE bulk_run ADD COLUMN lost_attempts integer NOT NULL DEFAULT 0, ADD COLUMN process uuid;
ALTER TABLE upload ADD COLUMN lost_attempts integer NOT NULL DEFAULT 0, ADD COLUMN process uuid;
