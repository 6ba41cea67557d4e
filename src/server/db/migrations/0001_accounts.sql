CREATE TABLE account (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username      text NOT NULL,
  password_hash text NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now()
);
-- Names are unique regardless of case: "Ann" and "ann" cannot coexist.
CREATE UNIQUE INDEX account_username ON account (lower(username));

CREATE TABLE session (
  -- SHA-256 of the cookie's token: a copy of this table does not grant access to a session.
  token_hash   bytea PRIMARY KEY,
  account_id   integer NOT NULL REFERENCES account ON DELETE CASCADE,
  -- Remembered sessions expire after 30 days without use, others after 12 hours.
  remembered   boolean NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL
);
CREATE INDEX session_account ON session (account_id);
CREATE INDEX session_expires ON session (expires_at);

-- Failed sign-ins by account name and IP address. Stored, so that throttling survives restarts.
CREATE TABLE sign_in_failure (
  key           text PRIMARY KEY,
  failures      integer NOT NULL,
  blocked_until timestamptz,
  updated_at    timestamptz NOT NULL
);
