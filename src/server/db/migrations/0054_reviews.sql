-- Works since 0020_finding.sql
-- The criteria by which interviews of a funnel are reviewed. A change adds a version.
CREATE TABLE scorecard (
  funnel_id  integer NOT NULL REFERENCES funnel ON DELETE CASCADE,
  version    integer NOT NULL,
  criteria   jsonb NOT NULL,
  -- True for criteria that the fields of the funnel had when a review first used them. The last
  -- version is the current one; while it is a default, the criteria follow these fields.
  is_default boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (funnel_id, version)
);

-- What an account thinks of an interview. Reviews remain after their account is removed.
CREATE TABLE review (
  interview_id      text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  account_id        integer REFERENCES account ON DELETE SET NULL,
  author            text NOT NULL,
  -- Of the scorecard of the interview's funnel.
  scorecard_version integer NOT NULL,
  ratings           jsonb NOT NULL,
  -- From before the author could read others' reviews.
  first_ratings     jsonb,
  recommendation    smallint CHECK (recommendation BETWEEN 1 AND 4),
  note              text NOT NULL,
  after_reading     boolean NOT NULL DEFAULT false,
  -- In milliseconds, the precision of JavaScript, and ascending for an account: lists compare them
  -- with a time that they read before. Null for a draft.
  submitted_at      timestamptz(3),
  -- When it was submitted or its recommendation last changed.
  decided_at        timestamptz(3),
  CHECK ((submitted_at IS NULL) = (decided_at IS NULL)),
  CHECK (submitted_at IS NULL OR (recommendation IS NOT NULL AND first_ratings IS NOT NULL))
);
CREATE UNIQUE INDEX review_of_account ON review (account_id, interview_id);
CREATE INDEX review_interview ON review (interview_id);
CREATE INDEX review_submitted ON review (account_id, submitted_at);
CREATE INDEX review_decided ON review (account_id, decided_at);

-- The accounts that have read others' reviews of an interview.
CREATE TABLE review_reading (
  account_id   integer NOT NULL REFERENCES account ON DELETE CASCADE,
  interview_id text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  read_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, interview_id)
);
CREATE INDEX review_reading_interview ON review_reading (interview_id);

-- The planner keeps no samples of personal values, as in 0013.
ALTER TABLE review
  ALTER COLUMN ratings SET STATISTICS 0,
  ALTER COLUMN first_ratings SET STATISTICS 0,
  ALTER COLUMN note SET STATISTICS 0;
