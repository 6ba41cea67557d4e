-- Works since 0020_finding.sql
-- Refreshes that "Refresh all jobs" starts one after another. Empty when no queue is in progress.
CREATE TABLE queued_refresh (
  position  integer PRIMARY KEY,
  funnel_id integer NOT NULL UNIQUE REFERENCES funnel ON DELETE CASCADE,
  queue_id  uuid NOT NULL,
  -- The number of refreshes in the queue, including those that have ended.
  total     integer NOT NULL
);

ALTER TABLE sync_run
  -- The queue that started the run. Null: a user chose the funnel, or the run is automatic.
  ADD COLUMN queue_id       uuid,
  ADD COLUMN queue_position integer,
  ADD COLUMN queue_total    integer;
CREATE INDEX sync_run_queue ON sync_run (queue_id) WHERE queue_id IS NOT NULL;
