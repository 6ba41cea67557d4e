-- Users see their sessions as a list of signed-in devices.
ALTER TABLE session
  -- Identifies the session to its user. The hash of the token never leaves the server.
  ADD COLUMN id           integer GENERATED ALWAYS AS IDENTITY,
  -- Browser and operating system, such as "Firefox on Linux". Empty for sessions of older releases.
  ADD COLUMN device       text NOT NULL DEFAULT '',
  -- The IP address, or IPv6 network, of the last stored use.
  ADD COLUMN address      text NOT NULL DEFAULT '',
  -- Updated at most every five minutes.
  ADD COLUMN last_used_at timestamptz NOT NULL DEFAULT now(),
  -- True when another session has replaced this one, which ends within a minute and is not
  -- extended.
  ADD COLUMN is_replaced  boolean NOT NULL DEFAULT false;
UPDATE session SET last_used_at = created_at;
CREATE UNIQUE INDEX session_id ON session (id);
