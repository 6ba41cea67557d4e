-- Works since 0020_finding.sql
-- Null: no password matches. An invited account has none until its invitation is accepted.
ALTER TABLE account ALTER COLUMN password_hash DROP NOT NULL;

-- An account has at most one invitation. Accepting it sets the password and deletes the row.
CREATE TABLE invitation (
  account_id integer PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL
);
