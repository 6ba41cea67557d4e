CREATE TABLE sync_run (
  id                  uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  funnel_id           integer NOT NULL REFERENCES funnel ON DELETE CASCADE,
  timeframe           text NOT NULL CONSTRAINT sync_run_timeframe CHECK (timeframe IN ('future', 'past', 'all')),
  status              text NOT NULL DEFAULT 'running' CONSTRAINT sync_run_status CHECK (status IN ('running', 'completed', 'failed')),
  -- Creation-time range of the interviews to read. Both are null for a full refresh.
  created_after       timestamptz,
  created_before      timestamptz,
  -- The claim of the process that executes the run. A process that finds another claim stops.
  worker              uuid,
  -- Source-defined cursor of the next page. Stored with each page.
  cursor              jsonb,
  all_read            boolean NOT NULL DEFAULT false,
  processed           integer NOT NULL DEFAULT 0,
  total               integer NOT NULL DEFAULT 0,
  new_count           integer NOT NULL DEFAULT 0,
  updated_count       integer NOT NULL DEFAULT 0,
  archived_count      integer NOT NULL DEFAULT 0,
  skipped_count       integer NOT NULL DEFAULT 0,
  field_change_count  integer NOT NULL DEFAULT 0,
  total_files         integer NOT NULL DEFAULT 0,
  downloaded_files    integer NOT NULL DEFAULT 0,
  failed_files        integer NOT NULL DEFAULT 0,
  current             text,
  message             text,
  error               text,
  error_dismissed     boolean NOT NULL DEFAULT false,
  cancel_requested_at timestamptz,
  started_at          timestamptz NOT NULL DEFAULT now(),
  finished_at         timestamptz
);
-- Acts as the lock: one refresh at a time in the whole installation.
CREATE UNIQUE INDEX sync_run_one_running ON sync_run (status) WHERE status = 'running';
CREATE INDEX sync_run_newest ON sync_run (started_at DESC);
CREATE INDEX sync_run_funnel ON sync_run (funnel_id, started_at DESC);

-- Changed and skipped items of a run, for its log entry. Deleted when the run ends.
CREATE TABLE sync_change (
  run_id       uuid NOT NULL REFERENCES sync_run ON DELETE CASCADE,
  interview_id text COLLATE "C" NOT NULL,
  field        text NOT NULL,
  title        text NOT NULL,
  old_value    text,
  new_value    text,
  PRIMARY KEY (run_id, interview_id, field)
);
CREATE TABLE sync_skip (
  run_id       uuid NOT NULL REFERENCES sync_run ON DELETE CASCADE,
  -- The id of the interview, or the position of an item without an id.
  interview_id text COLLATE "C" NOT NULL,
  title        text NOT NULL,
  reason       text NOT NULL,
  PRIMARY KEY (run_id, interview_id)
);
-- Files that a run has to download. A row is deleted once its file is stored. After a permanent
-- failure it keeps the reason for the log entry.
CREATE TABLE sync_file (
  run_id       uuid NOT NULL REFERENCES sync_run ON DELETE CASCADE,
  interview_id text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  kind         text NOT NULL CONSTRAINT sync_file_kind CHECK (kind IN ('video', 'thumbnail')),
  url          text NOT NULL,
  failure      text,
  PRIMARY KEY (run_id, interview_id, kind)
);
CREATE INDEX sync_file_pending ON sync_file (run_id, interview_id, kind) WHERE failure IS NULL;
CREATE INDEX sync_file_interview ON sync_file (interview_id);
