-- Works since 0020_finding.sql
-- The remaining read quota of an account, shared by all processes and sessions.
CREATE TABLE read_quota (
  account_id  integer PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  -- Negative after a response with many texts.
  reads_left  double precision NOT NULL,
  refilled_at timestamptz NOT NULL,
  -- The last warning in the log since most of the quota was available: 1 half is used, 2 a read was
  -- rejected.
  warned      smallint NOT NULL DEFAULT 0
);
