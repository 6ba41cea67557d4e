-- Works since 0020_finding.sql
-- Lists of unwatched interviews cache counts per day. Marking an interview as unwatched changes the
-- counts of its day.
CREATE FUNCTION listing_follow_unwatched() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE now_version bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM old_rows) THEN RETURN NULL; END IF;
  UPDATE listing_state SET version = version + 1 RETURNING version INTO now_version;
  INSERT INTO listing_day SELECT DISTINCT l.day, now_version FROM old_rows AS w JOIN listing AS l USING (interview_id)
  ON CONFLICT (day) DO UPDATE SET version = excluded.version;
  RETURN NULL;
END $$;
CREATE TRIGGER watched_delete AFTER DELETE ON watched REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION listing_follow_unwatched();

-- True when the formats of the recordings differ, so that they cannot be joined. Null otherwise.
ALTER TABLE interview_segment ADD COLUMN cannot_join boolean;
UPDATE interview_segment SET cannot_join = true WHERE video_file IS NOT NULL AND start_seconds IS NULL;
