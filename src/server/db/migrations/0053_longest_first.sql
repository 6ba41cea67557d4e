-- Outside a transaction
-- Works since 0020_finding.sql
-- The list in the order of length, one index per list. They contain the columns of its filters.
CREATE INDEX CONCURRENTLY IF NOT EXISTS interview_longest ON interview (duration_seconds DESC, recorded_at DESC, id DESC)
  INCLUDE (funnel_id, facts) WHERE archived_at IS NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS interview_longest_archived ON interview (duration_seconds DESC, recorded_at DESC, id DESC)
  INCLUDE (funnel_id, facts) WHERE archived_at IS NOT NULL;
