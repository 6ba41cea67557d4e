-- The interviews that each account has watched.
CREATE TABLE watched (
  account_id   integer NOT NULL REFERENCES account ON DELETE CASCADE,
  interview_id text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  -- In milliseconds, the precision of JavaScript: lists compare it with a time that they read
  -- before.
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
