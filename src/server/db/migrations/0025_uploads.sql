-- Works since 0020_finding.sql
-- Recordings that staff upload. The id becomes the id of the interview.
CREATE TABLE upload (
  id              text COLLATE "C" PRIMARY KEY,
  account_id      integer NOT NULL REFERENCES account ON DELETE CASCADE,
  funnel_id       integer NOT NULL REFERENCES funnel ON DELETE CASCADE,
  file_name       text NOT NULL,
  size_bytes      bigint NOT NULL CONSTRAINT upload_size CHECK (size_bytes > 0),
  modified_at     timestamptz NOT NULL,
  received_bytes  bigint NOT NULL DEFAULT 0,
  candidate_name  text NOT NULL,
  candidate_email text,
  title           text,
  recorded_at     timestamptz,
  thumbnail_file  text,
  state           text NOT NULL DEFAULT 'receiving'
    CONSTRAINT upload_state CHECK (state IN ('receiving', 'checking', 'duplicate', 'failed', 'done')),
  problem         text,
  duplicate_of    text COLLATE "C",
  keeps_duplicate boolean NOT NULL DEFAULT false,
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX upload_account ON upload (account_id);
CREATE INDEX upload_funnel ON upload (funnel_id);

-- SHA-256 of uploaded recordings, to detect a second upload of the same recording.
CREATE TABLE recording_checksum (
  interview_id text COLLATE "C" PRIMARY KEY REFERENCES interview ON DELETE CASCADE,
  sha256       text NOT NULL
);
CREATE INDEX recording_checksum_sha256 ON recording_checksum (sha256);
