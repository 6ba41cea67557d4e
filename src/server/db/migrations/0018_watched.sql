-- What each account has watched.
CREATE TABLE watched (
  account_id   integer NOT NULL REFERENCES account ON DELETE CASCADE,
  interview_id text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  -- In milliseconds, as JavaScript reads it: lists compare it with a moment they read before.
  watched_at   timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (account_id, interview_id)
);
CREATE INDEX watched_interview ON watched (interview_id);
CREATE INDEX watched_latest ON watched (account_id, watched_at);

-- Where the answer to a question starts, as marked by staff.
CREATE TABLE answer_start (
  interview_id  text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  position      integer NOT NULL,
  start_seconds double precision NOT NULL,
  PRIMARY KEY (interview_id, position)
);
