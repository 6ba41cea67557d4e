-- Works since 0020_finding.sql
-- Mails that the mail server has not accepted yet. Each has a job that deletes the row at the end.
CREATE TABLE mail (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The same for every attempt, so that mailboxes drop second copies.
  message_id  text NOT NULL,
  -- The recipient, the subject and the text.
  content     jsonb NOT NULL,
  -- A link that gives access, encrypted.
  link_sealed bytea,
  -- Mails with the same reason are withdrawn together.
  reference   text,
  failures    integer NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX mail_reference ON mail (reference) WHERE reference IS NOT NULL;
