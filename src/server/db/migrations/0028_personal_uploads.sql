-- Works since 0020_finding.sql
-- Uploads remain until their files are deleted, even after their account is deleted.
ALTER TABLE upload
  ALTER COLUMN account_id DROP NOT NULL,
  DROP CONSTRAINT upload_account_id_fkey,
  ADD CONSTRAINT upload_account_id_fkey FOREIGN KEY (account_id) REFERENCES account ON DELETE SET NULL;

-- The planner keeps no samples of personal values, as in 0013.
DO $$
DECLARE
  personal record;
BEGIN
  IF to_regprocedure('pg_clear_attribute_stats(text, text, text, boolean)') IS NULL THEN RETURN; END IF;
  FOR personal IN
    SELECT tables.name AS of_table, of_column
    FROM (VALUES
      ('interview_segment', ARRAY['question', 'video_url', 'video_file', 'thumbnail_url', 'thumbnail_file', 'answer_text',
        'transcript']),
      ('saved_view', ARRAY['name', 'query']),
      ('upload', ARRAY['file_name', 'candidate_name', 'candidate_email', 'title', 'thumbnail_file']),
      ('bulk_run', ARRAY['destination_notes']),
      ('bulk_item', ARRAY['reason'])
    ) AS tables (name, columns), unnest(columns) AS of_column
  LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS 0', personal.of_table, personal.of_column);
    PERFORM pg_clear_attribute_stats(current_schema()::text, personal.of_table, personal.of_column, false);
  END LOOP;
END $$;
