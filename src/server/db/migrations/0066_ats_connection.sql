-- Works since 0020_finding.sql
-- The sign-in at the applicant tracking system, which all processes share.
CREATE TABLE ats_connection (
  ats               text PRIMARY KEY,
  -- SHA-256 of the configured credentials. A row of other credentials counts as missing.
  credentials_hash  bytea NOT NULL,
  -- In the state reconnect, nothing is called until a person renews the sign-in.
  state             text NOT NULL CONSTRAINT ats_connection_state CHECK (state IN ('connected', 'reconnect')),
  -- Tokens, encrypted.
  sign_in_sealed    bytea,
  changed_at        timestamptz NOT NULL DEFAULT now()
);
