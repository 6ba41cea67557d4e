-- The listing also contains archived interviews, which have a separate list. Each list has its own
-- indexes, so that its queries do not slow down when the other list grows.
DROP INDEX listing_order;
DROP INDEX listing_search;
ALTER TABLE listing ADD COLUMN archived boolean NOT NULL DEFAULT false;
ALTER TABLE listing_count ADD COLUMN archived boolean NOT NULL DEFAULT false;
ALTER TABLE listing_count DROP CONSTRAINT listing_count_pkey;
ALTER TABLE listing_count ADD PRIMARY KEY (day, funnel_id, facts, archived);

CREATE OR REPLACE FUNCTION listing_count_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  now_version bigint;
  gone CONSTANT text := 'SELECT day, funnel_id, facts, archived, -1 AS n FROM old_rows';
  come CONSTANT text := 'SELECT day, funnel_id, facts, archived, 1 AS n FROM new_rows';
  changes CONSTANT text := CASE TG_OP WHEN 'INSERT' THEN come WHEN 'DELETE' THEN gone ELSE gone || ' UNION ALL ' || come END;
  touched boolean;
BEGIN
  EXECUTE 'SELECT EXISTS (' || changes || ')' INTO touched;
  IF NOT touched THEN RETURN NULL; END IF;
  UPDATE listing_state SET version = version + 1 RETURNING version INTO now_version;
  EXECUTE 'INSERT INTO listing_day SELECT DISTINCT day, $1 FROM (' || changes || ') AS change
           ON CONFLICT (day) DO UPDATE SET version = excluded.version' USING now_version;
  EXECUTE 'INSERT INTO listing_count AS c (day, funnel_id, facts, archived, n)
           SELECT day, funnel_id, facts, archived, sum(n) FROM (' || changes || ') AS change
           GROUP BY day, funnel_id, facts, archived HAVING sum(n) <> 0
           ON CONFLICT (day, funnel_id, facts, archived) DO UPDATE SET n = c.n + excluded.n';
  IF TG_OP <> 'INSERT' THEN
    EXECUTE 'DELETE FROM listing_count WHERE n = 0 AND day IN (SELECT day FROM old_rows)';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION listing_follow_interviews() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM listing USING old_rows AS gone WHERE listing.interview_id = gone.id;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO listing (interview_id, funnel_id, recorded_at, facts, search_text, archived)
    SELECT i.id, i.funnel_id, i.recorded_at, i.facts, listing_search_text(i.*::interview), i.archived_at IS NOT NULL FROM new_rows AS i;
  ELSE
    INSERT INTO listing (interview_id, funnel_id, recorded_at, facts, search_text, archived)
    SELECT i.id, i.funnel_id, i.recorded_at, i.facts, listing_search_text(i.*::interview), i.archived_at IS NOT NULL
    FROM new_rows AS i JOIN old_rows AS o USING (id)
    WHERE (o.archived_at IS NULL, o.funnel_id, o.recorded_at, o.facts, o.title, o.candidate_name, o.candidate_email)
      IS DISTINCT FROM (i.archived_at IS NULL, i.funnel_id, i.recorded_at, i.facts, i.title, i.candidate_name, i.candidate_email)
    ON CONFLICT (interview_id) DO UPDATE SET
      funnel_id = excluded.funnel_id, recorded_at = excluded.recorded_at, facts = excluded.facts, search_text = excluded.search_text,
      archived = excluded.archived;
  END IF;
  RETURN NULL;
END $$;

INSERT INTO listing (interview_id, funnel_id, recorded_at, facts, search_text, archived)
SELECT i.id, i.funnel_id, i.recorded_at, i.facts, listing_search_text(i.*::interview), true FROM interview AS i WHERE i.archived_at IS NOT NULL;

CREATE INDEX listing_order ON listing (day DESC, recorded_at DESC, interview_id DESC) INCLUDE (funnel_id, facts) WHERE NOT archived;
CREATE INDEX listing_order_archived ON listing (day DESC, recorded_at DESC, interview_id DESC) INCLUDE (funnel_id, facts) WHERE archived;
CREATE INDEX listing_search ON listing USING gin (search_text gin_trgm_ops) WHERE NOT archived;
CREATE INDEX listing_search_archived ON listing USING gin (search_text gin_trgm_ops) WHERE archived;
