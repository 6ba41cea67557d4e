-- Works since 0020_finding.sql
-- The number of log entries by type and action: most pages of System Logs have no date range, and
-- adding up the days took longer than reading the page. Recruiters with all funnels read the
-- entries that have a funnel. Written and merged as `log_count` (migration 0036).
CREATE TABLE log_total (
  type       text NOT NULL,
  action     text NOT NULL,
  has_funnel boolean NOT NULL,
  n          integer NOT NULL
);

CREATE OR REPLACE FUNCTION count_log_entries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.log_count (day, type, action, n)
  SELECT (created_at AT TIME ZONE 'UTC')::date, type, action, count(*) * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
  FROM changed GROUP BY 1, 2, 3;
  INSERT INTO public.log_total (type, action, has_funnel, n)
  SELECT type, action, funnel_id IS NOT NULL, count(*) * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
  FROM changed GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;

-- Entries written during the migration would be counted by the former function only.
LOCK TABLE log_entry IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO log_total (type, action, has_funnel, n)
SELECT type, action, funnel_id IS NOT NULL, count(*) FROM log_entry GROUP BY 1, 2, 3;

-- Deletes entries and merges the counts as before, then merges the totals.
CREATE OR REPLACE FUNCTION delete_log_entries_before(moment timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM public.log_entry WHERE created_at < least(moment, now() - interval '1 day');
  LOCK TABLE public.log_count IN SHARE UPDATE EXCLUSIVE MODE;
  WITH merged AS (
    DELETE FROM public.log_count WHERE (day, type, action) IN (
      SELECT day, type, action FROM public.log_count GROUP BY day, type, action HAVING count(*) > 1 OR sum(n) = 0)
    RETURNING day, type, action, n)
  INSERT INTO public.log_count (day, type, action, n)
  SELECT day, type, action, sum(n) FROM merged GROUP BY day, type, action HAVING sum(n) <> 0;
  WITH merged AS (
    DELETE FROM public.log_total WHERE (type, action, has_funnel) IN (
      SELECT type, action, has_funnel FROM public.log_total
      GROUP BY type, action, has_funnel HAVING count(*) > 1 OR sum(n) = 0)
    RETURNING type, action, has_funnel, n)
  INSERT INTO public.log_total (type, action, has_funnel, n)
  SELECT type, action, has_funnel, sum(n) FROM merged GROUP BY type, action, has_funnel HAVING sum(n) <> 0;
$$;
