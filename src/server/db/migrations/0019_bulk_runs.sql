-- A bulk run applies one action to many interviews (docs/decisions/0019).
CREATE TABLE bulk_run (
  id                  integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  action              text NOT NULL CONSTRAINT bulk_run_action
    CHECK (action IN ('convert', 'transcribe', 'summarize', 'process', 'retry', 'setDestination', 'archive', 'unarchive')),
  -- Set for the action setDestination until every interview has an outcome.
  destination_id      text,
  destination_notes   text,
  status              text NOT NULL DEFAULT 'running' CONSTRAINT bulk_run_status
    CHECK (status IN ('running', 'completed', 'canceled', 'failed')),
  -- Every interview has an outcome. Started steps may still be in progress.
  all_decided         boolean NOT NULL DEFAULT false,
  total               integer NOT NULL,
  done_count          integer NOT NULL DEFAULT 0,
  started_count       integer NOT NULL DEFAULT 0,
  failed_count        integer NOT NULL DEFAULT 0,
  skipped_count       integer NOT NULL DEFAULT 0,
  -- The actor, as in log entries.
  started_by          jsonb NOT NULL,
  -- The claim of the process that executes the run. A process that finds another claim stops.
  worker              uuid,
  cancel_requested_at timestamptz,
  error               text,
  created_at          timestamptz NOT NULL DEFAULT now(),
  finished_at         timestamptz
);
CREATE INDEX bulk_run_running ON bulk_run (id) WHERE status = 'running';

-- One interview of a bulk run. The outcome is stored once, in the transaction that changes the
-- interview. `started` becomes `done` or `failed` when the last step ends.
CREATE TABLE bulk_item (
  run_id       integer NOT NULL REFERENCES bulk_run ON DELETE CASCADE,
  interview_id text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  position     integer NOT NULL,
  outcome      text CONSTRAINT bulk_item_outcome CHECK (outcome IN ('done', 'started', 'failed', 'skipped')),
  -- Why the interview was skipped or failed.
  reason       text,
  -- Started steps that have not ended.
  open_steps   text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (run_id, interview_id)
);
CREATE INDEX bulk_item_undecided ON bulk_item (run_id, position) WHERE outcome IS NULL;
CREATE INDEX bulk_item_interview ON bulk_item (interview_id);

-- Starts convert and summarize for interviews that a refresh adds.
ALTER TABLE funnel ADD COLUMN process_automatically boolean NOT NULL DEFAULT false;

-- Counts failed steps of all interviews that are not archived. Migration 0002 has the bits of
-- `facts`.
CREATE INDEX listing_count_failed ON listing_count (facts) INCLUDE (n)
  WHERE NOT archived AND ((facts & 12) = 12 OR (facts & 48) = 48 OR (facts & 192) = 192);
