-- Outside a transaction
-- Works since 0020_finding.sql
-- Finds the interview of a stored thumbnail, for accounts that see some funnels only. Recordings
-- already have such an index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS interview_thumbnail_file ON interview (thumbnail_file)
  WHERE thumbnail_file IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS interview_segment_thumbnail ON interview_segment (thumbnail_file)
  WHERE thumbnail_file IS NOT NULL;
