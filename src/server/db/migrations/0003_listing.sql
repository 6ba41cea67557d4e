-- The read model of the interview list: one narrow row per interview that is not archived, and
-- counts per day. Triggers maintain both. docs/decisions/0002-exact-totals.md has the reasons.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE listing (
  interview_id text COLLATE "C" PRIMARY KEY,
  funnel_id    integer NOT NULL,
  recorded_at  timestamptz NOT NULL,
  day          date NOT NULL GENERATED ALWAYS AS ((recorded_at AT TIME ZONE 'UTC')::date) STORED,
  facts        smallint NOT NULL,
  -- The values that the search box searches, in lower case, one per line.
  search_text  text COLLATE "C" NOT NULL
);
CREATE INDEX listing_order ON listing (day DESC, recorded_at DESC, interview_id DESC) INCLUDE (funnel_id, facts);
CREATE INDEX listing_search ON listing USING gin (search_text gin_trgm_ops);

-- The number of interviews per day and filter value, except for the text search.
CREATE TABLE listing_count (
  day       date NOT NULL,
  funnel_id integer NOT NULL,
  facts     smallint NOT NULL,
  n         integer NOT NULL,
  PRIMARY KEY (day, funnel_id, facts)
);

CREATE INDEX listing_count_funnel ON listing_count (funnel_id);

-- The version at which the interviews of a day last changed.
CREATE TABLE listing_day (
  day     date PRIMARY KEY,
  version bigint NOT NULL
);
CREATE INDEX listing_day_version ON listing_day (version);

-- Has a single row. Writers of the listing update it first; its lock orders versions by commit.
CREATE TABLE listing_state (
  one_row boolean PRIMARY KEY DEFAULT true CONSTRAINT listing_state_one_row CHECK (one_row),
  version bigint NOT NULL
);
INSERT INTO listing_state (version) VALUES (0);

CREATE FUNCTION listing_count_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  now_version bigint;
  gone CONSTANT text := 'SELECT day, funnel_id, facts, -1 AS n FROM old_rows';
  come CONSTANT text := 'SELECT day, funnel_id, facts, 1 AS n FROM new_rows';
  changes CONSTANT text := CASE TG_OP WHEN 'INSERT' THEN come WHEN 'DELETE' THEN gone ELSE gone || ' UNION ALL ' || come END;
  touched boolean;
BEGIN
  EXECUTE 'SELECT EXISTS (' || changes || ')' INTO touched;
  IF NOT touched THEN RETURN NULL; END IF;
  UPDATE listing_state SET version = version + 1 RETURNING version INTO now_version;
  EXECUTE 'INSERT INTO listing_day SELECT DISTINCT day, $1 FROM (' || changes || ') AS change
           ON CONFLICT (day) DO UPDATE SET version = excluded.version' USING now_version;
  EXECUTE 'INSERT INTO listing_count AS c SELECT day, funnel_id, facts, sum(n) FROM (' || changes || ') AS change
           GROUP BY day, funnel_id, facts HAVING sum(n) <> 0
           ON CONFLICT (day, funnel_id, facts) DO UPDATE SET n = c.n + excluded.n';
  IF TG_OP <> 'INSERT' THEN
    EXECUTE 'DELETE FROM listing_count WHERE n = 0 AND day IN (SELECT day FROM old_rows)';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER listing_insert AFTER INSERT ON listing REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION listing_count_changes();
CREATE TRIGGER listing_update AFTER UPDATE ON listing REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION listing_count_changes();
CREATE TRIGGER listing_delete AFTER DELETE ON listing REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION listing_count_changes();

CREATE FUNCTION listing_search_text(i interview) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(concat_ws(E'\n', i.title, i.candidate_name, i.candidate_email, i.id) COLLATE "default")
$$;

CREATE FUNCTION listing_follow_interviews() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM listing USING old_rows AS gone WHERE listing.interview_id = gone.id;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO listing (interview_id, funnel_id, recorded_at, facts, search_text)
    SELECT i.id, i.funnel_id, i.recorded_at, i.facts, listing_search_text(i.*::interview) FROM new_rows AS i WHERE i.archived_at IS NULL;
  ELSE
    DELETE FROM listing USING new_rows AS i WHERE listing.interview_id = i.id AND i.archived_at IS NOT NULL;
    INSERT INTO listing (interview_id, funnel_id, recorded_at, facts, search_text)
    SELECT i.id, i.funnel_id, i.recorded_at, i.facts, listing_search_text(i.*::interview)
    FROM new_rows AS i JOIN old_rows AS o USING (id)
    WHERE i.archived_at IS NULL
      AND (o.archived_at, o.funnel_id, o.recorded_at, o.facts, o.title, o.candidate_name, o.candidate_email)
        IS DISTINCT FROM (i.archived_at, i.funnel_id, i.recorded_at, i.facts, i.title, i.candidate_name, i.candidate_email)
    ON CONFLICT (interview_id) DO UPDATE SET
      funnel_id = excluded.funnel_id, recorded_at = excluded.recorded_at, facts = excluded.facts, search_text = excluded.search_text;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER interview_insert AFTER INSERT ON interview REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION listing_follow_interviews();
CREATE TRIGGER interview_update AFTER UPDATE ON interview REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION listing_follow_interviews();
CREATE TRIGGER interview_delete AFTER DELETE ON interview REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION listing_follow_interviews();

-- A changed transcript or summary affects searches of its day, although no row of the listing
-- changes.
CREATE FUNCTION listing_follow_texts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE now_version bigint;
BEGIN
  UPDATE listing_state SET version = version + 1 RETURNING version INTO now_version;
  INSERT INTO listing_day SELECT DISTINCT l.day, now_version FROM new_rows AS t JOIN listing AS l USING (interview_id)
  ON CONFLICT (day) DO UPDATE SET version = excluded.version;
  RETURN NULL;
END $$;
CREATE TRIGGER interview_text_insert AFTER INSERT ON interview_text REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION listing_follow_texts();
CREATE TRIGGER interview_text_update AFTER UPDATE ON interview_text REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION listing_follow_texts();

-- A renamed client affects searches of every day of that funnel.
CREATE FUNCTION listing_follow_clients() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE now_version bigint;
BEGIN
  UPDATE listing_state SET version = version + 1 RETURNING version INTO now_version;
  INSERT INTO listing_day SELECT DISTINCT c.day, now_version FROM listing_count AS c WHERE c.funnel_id = NEW.id
  ON CONFLICT (day) DO UPDATE SET version = excluded.version;
  RETURN NULL;
END $$;
CREATE TRIGGER funnel_client AFTER UPDATE OF client_name ON funnel
  FOR EACH ROW WHEN (OLD.client_name IS DISTINCT FROM NEW.client_name) EXECUTE FUNCTION listing_follow_clients();
