-- Works since 0020_finding.sql
-- A person at a provider of single sign-on, and the account they sign in to.
CREATE TABLE identity (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account ON DELETE CASCADE,
  issuer text NOT NULL,
  subject text NOT NULL,
  -- The last one that the provider has named, verified or not.
  email text,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (issuer, subject)
);
CREATE INDEX identity_account ON identity (account_id);

-- Null: the session was started with a password. `provider_session` is the session at the provider.
ALTER TABLE session
  ADD COLUMN identity_id integer REFERENCES identity ON DELETE CASCADE,
  ADD COLUMN provider_session text;
CREATE INDEX session_identity ON session (identity_id);

-- Used logout tokens, until they expire: none is accepted twice.
CREATE TABLE logout_token (
  token_hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
