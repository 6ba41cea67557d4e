-- Works since 0020_finding.sql
-- Programs call the API with a token of an account. Revoking a token deletes its row.
CREATE TABLE api_token (
  id                integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id        integer NOT NULL REFERENCES account ON DELETE CASCADE,
  name              text NOT NULL,
  scopes            text[] NOT NULL,
  -- SHA-256. A token has too many random bits to be guessed from it.
  token_hash        bytea NOT NULL UNIQUE,
  -- The first characters of the token, by which users recognize it.
  prefix            text NOT NULL,
  expires_at        timestamptz NOT NULL,
  created_at        timestamptz NOT NULL,
  -- Updated at most every minute.
  last_used_at      timestamptz,
  -- The IP address, or IPv6 network, of the last stored use.
  last_used_address text
);
CREATE INDEX api_token_account ON api_token (account_id);
