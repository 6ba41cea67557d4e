-- Works since 0020_finding.sql
-- Automatic refreshes of funnels (docs/decisions/0023).
ALTER TABLE funnel
  -- Null: only users refresh the funnel.
  ADD COLUMN refresh_minutes integer CONSTRAINT funnel_refresh_minutes CHECK (refresh_minutes BETWEEN 15 AND 10080),
  -- The action for interviews that a refresh adds. process_automatically includes both steps.
  ADD COLUMN new_interviews  text NOT NULL DEFAULT 'nothing'
    CONSTRAINT funnel_new_interviews CHECK (new_interviews IN ('nothing', 'transcribe', 'summarize')),
  -- The maximum of new interviews to process per day (UTC). Null: unlimited.
  ADD COLUMN daily_limit     integer CONSTRAINT funnel_daily_limit CHECK (daily_limit BETWEEN 1 AND 10000),
  -- The account that last changed these settings. Not a foreign key: they outlive the account.
  ADD COLUMN automated_by_id integer,
  ADD COLUMN automated_by    text;

-- The state of automatic work on a funnel.
CREATE TABLE automation (
  funnel_id       integer PRIMARY KEY REFERENCES funnel ON DELETE CASCADE,
  -- When the schedule last started a refresh. Null: never, so one is due.
  started_at      timestamptz,
  last_refresh_at timestamptz,
  -- Why the last refresh failed. Null after a complete one.
  last_error      text,
  -- Consecutive failures of automatic refreshes.
  failures        integer NOT NULL DEFAULT 0,
  paused_at       timestamptz,
  paused_reason   text,
  -- The last day (UTC) of processing, and the number of new interviews processed on that day.
  processed_on    date,
  processed_count integer NOT NULL DEFAULT 0
);
INSERT INTO automation (funnel_id, last_refresh_at)
  SELECT funnel_id, max(finished_at) FROM sync_run WHERE status = 'completed' GROUP BY funnel_id;

-- New interviews above the daily limit. They are processed on the next days.
CREATE TABLE awaited_processing (
  interview_id text COLLATE "C" PRIMARY KEY REFERENCES interview ON DELETE CASCADE,
  funnel_id    integer NOT NULL REFERENCES funnel ON DELETE CASCADE,
  added_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX awaited_processing_funnel ON awaited_processing (funnel_id, added_at);

ALTER TABLE sync_run
  ADD COLUMN cause text NOT NULL DEFAULT 'user' CONSTRAINT sync_run_cause CHECK (cause IN ('user', 'schedule')),
  DROP CONSTRAINT sync_run_status,
  -- A run in progress is 'running' if a user started it: sync_run_one_running is the lock of the
  -- Refresh button. Other runs are 'automatic' and run alongside it, one per funnel.
  ADD CONSTRAINT sync_run_status CHECK (status IN ('running', 'automatic', 'completed', 'failed'));
CREATE UNIQUE INDEX sync_run_one_automatic ON sync_run (funnel_id) WHERE status = 'automatic';

ALTER TABLE log_entry DROP CONSTRAINT log_entry_actor_kind;
-- Existing entries have one of the previous kinds.
ALTER TABLE log_entry ADD CONSTRAINT log_entry_actor_kind
  CHECK (actor_kind IN ('account', 'anonymous', 'command', 'system', 'automation')) NOT VALID;
