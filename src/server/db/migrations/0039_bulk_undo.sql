-- Works since 0020_finding.sql
-- A bulk run that sets destinations can skip interviews with a destination, and can be undone.
ALTER TABLE bulk_run
  ADD COLUMN keep_existing boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT bulk_run_action,
  ADD CONSTRAINT bulk_run_action CHECK (action IN ('convert', 'transcribe', 'summarize', 'process', 'retry',
    'setDestination', 'undoDestination', 'archive', 'unarchive'));

-- The destination that a run replaced.
ALTER TABLE bulk_item
  ADD COLUMN former_destination_id    text,
  ADD COLUMN former_destination_notes text,
  ADD COLUMN former_destination_at    timestamptz;

-- The planner keeps no samples of personal values, as in 0013.
ALTER TABLE bulk_item ALTER COLUMN former_destination_notes SET STATISTICS 0;
