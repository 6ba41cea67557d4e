-- Works since 0020_finding.sql
-- Notices to an account.
CREATE TABLE notice (
  id           integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id   integer NOT NULL REFERENCES account ON DELETE CASCADE,
  kind         text NOT NULL CHECK (kind IN ('opened', 'verdict', 'mention', 'expiring')),
  interview_id text COLLATE "C" REFERENCES interview ON DELETE CASCADE,
  share_id     integer,
  -- The name of the client or the colleague.
  actor        text,
  -- It waits for the daily mail.
  is_mail_due  boolean NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  read_at      timestamptz
);
CREATE INDEX notice_account ON notice (account_id, id);
CREATE INDEX notice_interview ON notice (interview_id) WHERE interview_id IS NOT NULL;
CREATE INDEX notice_created ON notice (created_at);
CREATE INDEX notice_mail_due ON notice (created_at) WHERE is_mail_due;

-- Accounts without a row have the defaults.
CREATE TABLE notice_settings (
  account_id integer PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  opened     text NOT NULL CHECK (opened IN ('now', 'daily', 'off')),
  verdict    text NOT NULL CHECK (verdict IN ('now', 'daily', 'off')),
  mention    text NOT NULL CHECK (mention IN ('now', 'daily', 'off')),
  expiring   text NOT NULL CHECK (expiring IN ('now', 'daily', 'off'))
);
