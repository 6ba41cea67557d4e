-- The actor who caused an entry. All columns are null in entries of earlier releases.
ALTER TABLE log_entry
  ADD COLUMN actor_kind       text CONSTRAINT log_entry_actor_kind CHECK (actor_kind IN ('account', 'anonymous', 'command', 'system')),
  -- Not a foreign key: entries outlive their account.
  ADD COLUMN actor_account_id integer,
  -- The username of the account, or the operating-system user of a command.
  ADD COLUMN actor_name       text,
  ADD COLUMN actor_address    text,
  ADD COLUMN actor_request_id text,
  -- The size of details and metadata as JSON when the entry was written.
  ADD COLUMN content_bytes    integer;

-- The actor who started the step, for a summary that another user's transcript starts.
ALTER TABLE step_run ADD COLUMN started_by jsonb;
