-- Works since 0028_personal_uploads.sql
-- The number of interviews per funnel, so that the list of funnels does not sum the counts of all
-- days.
CREATE TABLE listing_funnel (
  funnel_id integer NOT NULL,
  archived  boolean NOT NULL,
  n         integer NOT NULL,
  PRIMARY KEY (funnel_id, archived)
);

-- No transaction that counts with the previous function may commit after the sums are read.
LOCK TABLE listing IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO listing_funnel SELECT funnel_id, archived, sum(n) FROM listing_count GROUP BY funnel_id, archived;

-- Runs with the rights of the owner: processes of the former release, which insert interviews in
-- the meantime, have no rights on the new table yet. Every caller first locks the row of
-- listing_state, so no two transactions wait for each other's counts.
CREATE OR REPLACE FUNCTION listing_count_changes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  now_version bigint;
  gone CONSTANT text := 'SELECT day, funnel_id, facts, archived, -1 AS n FROM old_rows';
  come CONSTANT text := 'SELECT day, funnel_id, facts, archived, 1 AS n FROM new_rows';
  changes CONSTANT text := CASE TG_OP WHEN 'INSERT' THEN come WHEN 'DELETE' THEN gone ELSE gone || ' UNION ALL ' || come END;
  touched boolean;
BEGIN
  EXECUTE 'SELECT EXISTS (' || changes || ')' INTO touched;
  IF NOT touched THEN RETURN NULL; END IF;
  UPDATE public.listing_state SET version = version + 1 RETURNING version INTO now_version;
  EXECUTE 'INSERT INTO public.listing_day SELECT DISTINCT day, $1 FROM (' || changes || ') AS change
           ON CONFLICT (day) DO UPDATE SET version = excluded.version' USING now_version;
  EXECUTE 'INSERT INTO public.listing_count AS c (day, funnel_id, facts, archived, n)
           SELECT day, funnel_id, facts, archived, sum(n) FROM (' || changes || ') AS change
           GROUP BY day, funnel_id, facts, archived HAVING sum(n) <> 0
           ON CONFLICT (day, funnel_id, facts, archived) DO UPDATE SET n = c.n + excluded.n';
  EXECUTE 'INSERT INTO public.listing_funnel AS c (funnel_id, archived, n)
           SELECT funnel_id, archived, sum(n) FROM (' || changes || ') AS change
           GROUP BY funnel_id, archived HAVING sum(n) <> 0
           ON CONFLICT (funnel_id, archived) DO UPDATE SET n = c.n + excluded.n';
  IF TG_OP <> 'INSERT' THEN
    EXECUTE 'DELETE FROM public.listing_count WHERE n = 0 AND day IN (SELECT day FROM old_rows)';
    DELETE FROM public.listing_funnel WHERE n = 0;
  END IF;
  RETURN NULL;
END $$;
