-- Works since 0020_finding.sql
-- The answer that the file belongs to (interview_segment.source_id). '' for a file of the
-- interview.
ALTER TABLE sync_file ADD COLUMN segment_id text NOT NULL DEFAULT '';
ALTER TABLE sync_file DROP CONSTRAINT sync_file_pkey;
ALTER TABLE sync_file ADD CONSTRAINT sync_file_pkey PRIMARY KEY (run_id, interview_id, kind, segment_id);

-- Finds the interview of a played recording.
CREATE INDEX interview_segment_video ON interview_segment (video_file) WHERE video_file IS NOT NULL;
