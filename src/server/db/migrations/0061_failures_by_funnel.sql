-- Works since 0020_finding.sql
-- Counts failed steps also for accounts that see some funnels only, without reading the table.
DROP INDEX listing_count_failed;
CREATE INDEX listing_count_failed ON listing_count (funnel_id) INCLUDE (n)
  WHERE NOT archived AND ((facts & 12) = 12 OR (facts & 48) = 48 OR (facts & 192) = 192);
