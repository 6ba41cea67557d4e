-- Outside a transaction
-- Works since 0020_finding.sql
-- Entries of the funnels that an account sees, and its own. Counting reads only the indexes.
CREATE INDEX CONCURRENTLY IF NOT EXISTS log_entry_funnel ON log_entry (funnel_id, created_at DESC, id DESC)
  INCLUDE (type, action) WHERE funnel_id IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS log_entry_actor ON log_entry (actor_account_id, created_at DESC, id DESC)
  INCLUDE (type, action, funnel_id) WHERE actor_kind = 'account';
