-- Users see their sessions as a list of signed-in devices.
ALTER TABLE session
  -- Names the session to its user: the hash of the token stays on the server.
  ADD COLUMN id           integer GENERATED ALWAYS AS IDENTITY,
  -- Browser and operating system, such as "Firefox on Linux". Empty for sessions of older releases.
  ADD COLUMN device       text NOT NULL DEFAULT '',
  -- The address, or IPv6 network, of the last use that was stored.
  ADD COLUMN address      text NOT NULL DEFAULT '',
  -- Stored in steps of five minutes.
  ADD COLUMN last_used_at timestamptz NOT NULL DEFAULT now(),
  -- Another session has replaced this one, which ends within a minute and is never extended.
  ADD COLUMN is_replaced  boolean NOT NULL DEFAULT false;
UPDATE session SET last_used_at = created_at;
CREATE UNIQUE INDEX session_id ON session (id);
