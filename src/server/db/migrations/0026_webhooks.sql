-- Works since 0020_finding.sql
-- Addresses at which services announce changed interviews (docs/decisions/0023).
CREATE TABLE webhook (
  funnel_id       integer PRIMARY KEY REFERENCES funnel ON DELETE CASCADE,
  -- The last part of the address: its SHA-256, to find the funnel, and encrypted, to show it.
  secret_hash     bytea NOT NULL CONSTRAINT webhook_secret_hash UNIQUE,
  secret_sealed   bytea NOT NULL,
  -- The service's key of signatures, encrypted.
  signing_sealed  bytea,
  last_event_at   timestamptz,
  -- The day (UTC) and the number of events on it.
  counted_on      date,
  event_count     integer NOT NULL DEFAULT 0
);

-- Accepted events, each once: the SHA-256 of the service's id of it, or of its body.
CREATE TABLE webhook_event (
  funnel_id   integer NOT NULL REFERENCES funnel ON DELETE CASCADE,
  event_hash  bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (funnel_id, event_hash)
);
CREATE INDEX webhook_event_received ON webhook_event (received_at);

-- Interviews that were announced and not read yet.
CREATE TABLE announced_interview (
  funnel_id    integer NOT NULL REFERENCES funnel ON DELETE CASCADE,
  interview_id text COLLATE "C" NOT NULL,
  -- Larger for a later announcement.
  number       bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (funnel_id, interview_id)
);

-- After failures, when announced interviews are read again.
ALTER TABLE automation ADD COLUMN retry_at timestamptz;

ALTER TABLE sync_run
  -- Reads the announced interviews up to this number.
  ADD COLUMN announced_up_to bigint,
  DROP CONSTRAINT sync_run_cause,
  ADD CONSTRAINT sync_run_cause CHECK (cause IN ('user', 'schedule', 'event'));
