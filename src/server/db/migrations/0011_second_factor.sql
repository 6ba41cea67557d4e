-- What an account's authenticator app shares with us, sealed with the encryption key.
CREATE TABLE second_factor (
  account_id     integer PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  -- Asked for at each sign-in. Null until the first code of the app has confirmed it.
  secret_sealed  bytea,
  confirmed_at   timestamptz,
  -- The 30 seconds, counted from 1970, whose code was taken last: only a later one is taken again.
  last_step      integer,
  -- Handed out and not confirmed yet: it opens nothing, and takes nothing away.
  pending_sealed bytea,
  CONSTRAINT second_factor_confirmed CHECK ((secret_sealed IS NULL) = (confirmed_at IS NULL))
);

-- Each is good once: one that was used is deleted. SHA-256 of codes of 120 random bits.
CREATE TABLE recovery_code (
  account_id integer NOT NULL REFERENCES second_factor ON DELETE CASCADE,
  code_hash  bytea NOT NULL,
  PRIMARY KEY (account_id, code_hash)
);
