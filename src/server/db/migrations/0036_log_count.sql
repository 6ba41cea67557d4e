-- Works since 0028_personal_uploads.sql
-- The number of log entries by UTC day, type and action, so that a page of System Logs does not
-- count all entries. A statement adds rows with its changes instead of updating a sum, because
-- concurrent transactions would wait for each other. The hourly deletion of old entries merges the
-- rows.
CREATE TABLE log_count (
  day    date NOT NULL,
  type   text NOT NULL,
  action text NOT NULL,
  n      integer NOT NULL
);

-- The application may only read the counts. These functions run with the rights of the owner, as in
-- 0016.
CREATE FUNCTION count_log_entries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.log_count (day, type, action, n)
  SELECT (created_at AT TIME ZONE 'UTC')::date, type, action, count(*) * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
  FROM changed GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;
CREATE TRIGGER log_entry_insert AFTER INSERT ON log_entry REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_log_entries();
CREATE TRIGGER log_entry_delete AFTER DELETE ON log_entry REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_log_entries();

-- CREATE TRIGGER has locked the table against writers until the end of the transaction.
INSERT INTO log_count (day, type, action, n)
SELECT (created_at AT TIME ZONE 'UTC')::date, type, action, count(*) FROM log_entry GROUP BY 1, 2, 3;

-- Deletes entries as before, then merges the counts. The lock lets one caller merge at a time and
-- blocks neither readers nor the trigger.
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
$$;
