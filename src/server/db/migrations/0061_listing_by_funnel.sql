-- Outside a transaction
-- Works since 0020_finding.sql
-- Searches of accounts that see few funnels: a frequent word is looked for in these only.
CREATE INDEX CONCURRENTLY IF NOT EXISTS listing_by_funnel ON listing (funnel_id, day) WHERE NOT archived;
