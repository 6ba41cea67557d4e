-- Works since 0020_finding.sql
-- Every account of the former release is an administrator, which may do what it could do before.
ALTER TABLE account
  ADD COLUMN role text NOT NULL DEFAULT 'administrator' CHECK (role IN ('reviewer', 'recruiter', 'administrator')),
  ADD COLUMN email text,
  -- False: the account sees the funnels in `account_funnel` only.
  ADD COLUMN all_funnels boolean NOT NULL DEFAULT true,
  -- A disabled account has no sessions and cannot sign in.
  ADD COLUMN is_disabled boolean NOT NULL DEFAULT false,
  ADD COLUMN last_seen_at timestamptz;
CREATE UNIQUE INDEX account_email ON account (lower(email));

CREATE TABLE account_funnel (
  account_id integer NOT NULL REFERENCES account ON DELETE CASCADE,
  funnel_id  integer NOT NULL REFERENCES funnel ON DELETE CASCADE,
  PRIMARY KEY (account_id, funnel_id)
);
CREATE INDEX account_funnel_funnel ON account_funnel (funnel_id);
