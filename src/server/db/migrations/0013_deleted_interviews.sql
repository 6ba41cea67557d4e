-- Interviews that were deleted with their funnel, kept until their log entries expire. An erasure
-- uses them to find log entries and published videos of a candidate.
CREATE TABLE deleted_interview (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  interview_id text COLLATE "C" NOT NULL,
  -- Keyed hash of the candidate's email; null without one.
  email_mark   bytea,
  -- Name, email, phone, file names, URLs and published video as JSON, encrypted with a key derived
  -- from erasure_key.
  sealed       bytea NOT NULL,
  deleted_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX deleted_interview_interview ON deleted_interview (interview_id);
CREATE INDEX deleted_interview_email ON deleted_interview (email_mark);
CREATE INDEX deleted_interview_age ON deleted_interview (deleted_at);

-- False for a video whose funnel was deleted: the log may then contain the URL of a video that the
-- host refuses to delete.
ALTER TABLE video_removal ADD COLUMN is_erased boolean NOT NULL DEFAULT true;

-- The cursor of an ended refresh may contain the id of an erased interview.
UPDATE sync_run SET cursor = NULL WHERE status <> 'running' AND cursor IS NOT NULL;

-- Keeps personal values that no query plan needs out of the planner's statistics. PostgreSQL 18 and
-- later can clear existing statistics. Earlier servers rely on the ANALYZE after an erasure, which
-- would skip columns without statistics.
DO $$
DECLARE
  personal record;
BEGIN
  IF to_regprocedure('pg_clear_attribute_stats(text, text, text, boolean)') IS NULL THEN RETURN; END IF;
  FOR personal IN
    SELECT tables.name AS of_table, of_column
    FROM (VALUES
      ('interview', ARRAY['title', 'description', 'candidate_name', 'candidate_email', 'candidate_phone', 'original_url',
        'thumbnail_url', 'thumbnail_file', 'video_url', 'video_file', 'questions', 'youtube_id', 'youtube_url',
        'youtube_error', 'youtube_note', 'transcription_error', 'transcription_note', 'summary_error', 'summary_note',
        'destination_id', 'destination_notes']),
      ('interview_text', ARRAY['transcription_text', 'summary_text', 'segments', 'summary_structure']),
      ('publication', ARRAY['session', 'video_file', 'video_url']),
      ('transcript_part', ARRAY['video_file', 'segments']),
      ('sync_run', ARRAY['cursor', 'current', 'message', 'error']),
      ('sync_change', ARRAY['title', 'old_value', 'new_value']),
      ('sync_skip', ARRAY['title', 'reason']),
      ('sync_file', ARRAY['url', 'failure']),
      ('log_entry', ARRAY['summary', 'details', 'metadata']),
      ('video_removal', ARRAY['video_url', 'failure'])
    ) AS tables (name, columns), unnest(columns) AS of_column
  LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS 0', personal.of_table, personal.of_column);
    PERFORM pg_clear_attribute_stats(current_schema()::text, personal.of_table, personal.of_column, false);
  END LOOP;
END $$;
