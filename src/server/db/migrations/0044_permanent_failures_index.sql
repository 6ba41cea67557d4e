-- Outside a transaction
-- Works since 0020_finding.sql
-- Counts interviews whose failed steps would all fail again.
CREATE INDEX CONCURRENTLY IF NOT EXISTS interview_permanent_failures ON interview (id)
  WHERE archived_at IS NULL AND (youtube_permanent OR transcription_permanent OR summary_permanent);
