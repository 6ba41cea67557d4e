-- Works since 0020_finding.sql
-- What an account may still read, shared by all processes and sessions.
CREATE TABLE read_quota (
  account_id  integer PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  -- Below zero after an answer with many texts.
  reads_left  double precision NOT NULL,
  refilled_at timestamptz NOT NULL,
  -- What was logged since the account had most of its quota: 1 half of it is used, 2 a read was refused.
  warned      smallint NOT NULL DEFAULT 0
);
