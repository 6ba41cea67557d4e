CREATE TABLE log_entry (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type       text NOT NULL CONSTRAINT log_entry_type CHECK (type IN ('refresh', 'auth', 'system', 'error')),
  action     text NOT NULL,
  status     text NOT NULL CONSTRAINT log_entry_status CHECK (status IN ('success', 'error', 'warning', 'info')),
  summary    text NOT NULL,
  details    jsonb,
  metadata   jsonb,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX log_entry_newest ON log_entry (created_at DESC, id DESC);
CREATE INDEX log_entry_type_newest ON log_entry (type, created_at DESC, id DESC);
