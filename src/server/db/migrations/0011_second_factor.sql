-- The secret shared with the authenticator app of an account, encrypted with the encryption key.
CREATE TABLE second_factor (
  account_id     integer PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  -- Required at each sign-in. Null until a first code has confirmed it.
  secret_sealed  bytea,
  confirmed_at   timestamptz,
  -- The number of the 30-second interval since 1970 whose code was accepted last. Only codes of
  -- later intervals are accepted.
  last_step      integer,
  -- Issued but not confirmed. It does not affect signing in.
  pending_sealed bytea,
  CONSTRAINT second_factor_confirmed CHECK ((secret_sealed IS NULL) = (confirmed_at IS NULL))
);

-- Single-use codes, deleted after use. Stored as SHA-256 of 120 random bits.
CREATE TABLE recovery_code (
  account_id integer NOT NULL REFERENCES second_factor ON DELETE CASCADE,
  code_hash  bytea NOT NULL,
  PRIMARY KEY (account_id, code_hash)
);
