-- Works since 0020_finding.sql
-- An applicant tracking system limits the calls of an account, so all processes share one pace.
CREATE TABLE ats_pace (
  ats           text PRIMARY KEY,
  next_call_at  timestamptz NOT NULL
);
