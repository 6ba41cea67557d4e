-- Works since 0020_finding.sql
-- Interviews that staff shared at one time, with what the recipients see.
CREATE TABLE share_batch (
  id                integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title             text NOT NULL,
  message           text,
  -- The client of the first interview, whose next share begins with the same choices.
  client_name       text,
  name_shown        text NOT NULL CONSTRAINT share_batch_name CHECK (name_shown IN ('full', 'first', 'hidden')),
  shows_contact     boolean NOT NULL,
  shows_transcript  boolean NOT NULL,
  shows_summary     boolean NOT NULL,
  shows_questions   boolean NOT NULL,
  may_comment       boolean NOT NULL,
  may_decide        boolean NOT NULL,
  passcode_hash     text,
  -- The links stay when the account is deleted. They show its name.
  created_by        integer REFERENCES account ON DELETE SET NULL,
  created_by_name   text NOT NULL,
  created_at        timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX share_batch_client ON share_batch (client_name, id DESC);
CREATE INDEX share_batch_account ON share_batch (created_by);

-- The link of one recipient.
CREATE TABLE share (
  id               integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  batch_id         integer NOT NULL REFERENCES share_batch ON DELETE CASCADE,
  recipient_name   text NOT NULL,
  recipient_email  text,
  -- SHA-256 of the token. A new link replaces it.
  token_hash       bytea NOT NULL UNIQUE,
  expires_at       timestamptz NOT NULL,
  -- The first opening.
  opened_at        timestamptz,
  revoked_at       timestamptz,
  -- Closed by staff, or after too many wrong passcodes, until staff reopen it.
  closed_at        timestamptz,
  passcode_tries   integer NOT NULL DEFAULT 0,
  -- When staff were notified that the link expires soon and has not been opened.
  expiry_noted_at  timestamptz
);
CREATE INDEX share_batch_shares ON share (batch_id);
CREATE INDEX share_expires ON share (expires_at);

-- An interview of a link, and what its recipient did with it.
CREATE TABLE share_item (
  share_id          integer NOT NULL REFERENCES share ON DELETE CASCADE,
  -- From 1. The number of a deleted interview is not used again.
  n                 integer NOT NULL,
  interview_id      text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  -- Whole seconds of the recording.
  watched           int4multirange NOT NULL DEFAULT '{}',
  first_watched_at  timestamptz,
  verdict           text CONSTRAINT share_item_verdict CHECK (verdict IN ('yes', 'maybe', 'no')),
  verdict_note      text,
  decided_at        timestamptz,
  PRIMARY KEY (share_id, n),
  UNIQUE (share_id, interview_id)
);
CREATE INDEX share_item_interview ON share_item (interview_id);

CREATE TABLE share_comment (
  id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  share_id    integer NOT NULL,
  n           integer NOT NULL,
  at_seconds  double precision NOT NULL,
  body        text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (share_id, n) REFERENCES share_item ON DELETE CASCADE
);
CREATE INDEX share_comment_item ON share_comment (share_id, n);
