-- Works since 0020_finding.sql
-- URLs to which services send events about changed interviews (docs/decisions/0023).
CREATE TABLE webhook (
  funnel_id       integer PRIMARY KEY REFERENCES funnel ON DELETE CASCADE,
  -- The last part of the URL: as SHA-256, to find the funnel, and encrypted, to display it.
  secret_hash     bytea NOT NULL CONSTRAINT webhook_secret_hash UNIQUE,
  secret_sealed   bytea NOT NULL,
  -- The key with which the service signs events, encrypted.
  signing_sealed  bytea,
  last_event_at   timestamptz,
  -- The last day (UTC) with events, and their number on that day.
  counted_on      date,
  event_count     integer NOT NULL DEFAULT 0
);

-- Accepted events, to ignore repeated ones: SHA-256 of the event id, or of the body without an id.
CREATE TABLE webhook_event (
  funnel_id   integer NOT NULL REFERENCES funnel ON DELETE CASCADE,
  event_hash  bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (funnel_id, event_hash)
);
CREATE INDEX webhook_event_received ON webhook_event (received_at);

-- Interviews with an event that have not been read since.
CREATE TABLE announced_interview (
  funnel_id    integer NOT NULL REFERENCES funnel ON DELETE CASCADE,
  interview_id text COLLATE "C" NOT NULL,
  -- Increases with each event.
  number       bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (funnel_id, interview_id)
);

-- When to read announced interviews again after a failure.
ALTER TABLE automation ADD COLUMN retry_at timestamptz;

ALTER TABLE sync_run
  -- The run reads announced interviews up to this number.
  ADD COLUMN announced_up_to bigint,
  DROP CONSTRAINT sync_run_cause,
  ADD CONSTRAINT sync_run_cause CHECK (cause IN ('user', 'schedule', 'event'));
