-- Works since 0020_finding.sql
-- Notes of accounts about a moment of a recording. They remain after their account is removed.
CREATE TABLE comment (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  interview_id text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  account_id   integer REFERENCES account ON DELETE SET NULL,
  author       text NOT NULL,
  body         text NOT NULL,
  at_seconds   double precision NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  edited_at    timestamptz
);
CREATE INDEX comment_interview ON comment (interview_id);
CREATE INDEX comment_account ON comment (account_id);

-- The planner keeps no samples of personal values, as in 0013.
ALTER TABLE comment ALTER COLUMN body SET STATISTICS 0;
