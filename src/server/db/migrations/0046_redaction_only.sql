-- Works since 0020_finding.sql
-- The application can only replace parts of a log entry with erasure marks. It cannot write other
-- texts.

-- Whether `redacted` is `original` with parts replaced by marks.
CREATE FUNCTION is_redacted_text(original text, redacted text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT original LIKE regexp_replace(
    regexp_replace(redacted, '([\\%_])', '\\\1', 'g'), '\[erased\]|Erased interview|erased-[0-9a-f]+', '%', 'g')
$$;

-- The same check for JSON: keys can be replaced as well, but list lengths and other values must
-- match.
CREATE FUNCTION is_redacted_json(original jsonb, redacted jsonb) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF redacted IS NULL OR original = redacted THEN RETURN true; END IF;
  IF original IS NULL OR jsonb_typeof(original) <> jsonb_typeof(redacted) THEN RETURN false; END IF;
  CASE jsonb_typeof(redacted)
    WHEN 'string' THEN
      RETURN public.is_redacted_text(original #>> '{}', redacted #>> '{}');
    WHEN 'array' THEN
      RETURN jsonb_array_length(original) = jsonb_array_length(redacted) AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(original) WITH ORDINALITY AS old (item, place)
          JOIN jsonb_array_elements(redacted) WITH ORDINALITY AS new (item, place) USING (place)
         WHERE NOT public.is_redacted_json(old.item, new.item));
    WHEN 'object' THEN
      RETURN NOT EXISTS (
        SELECT FROM jsonb_each(redacted) AS new WHERE NOT CASE
          WHEN original ? new.key THEN public.is_redacted_json(original -> new.key, new.value)
          ELSE EXISTS (
            SELECT FROM jsonb_each(original) AS old
             WHERE public.is_redacted_text(old.key, new.key) AND public.is_redacted_json(old.value, new.value)) END);
    ELSE
      RETURN false;
  END CASE;
END
$$;

-- Replaces the texts of an entry. Keeps its time, type, action and status. Clears a part that would
-- contain new text.
CREATE OR REPLACE FUNCTION redact_log_entry(entry_id bigint, redacted_summary text, redacted_details jsonb, redacted_metadata jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE public.log_entry SET
    summary = CASE WHEN public.is_redacted_text(summary, redacted_summary) THEN redacted_summary ELSE '[erased]' END,
    details = CASE WHEN public.is_redacted_json(details, redacted_details) THEN redacted_details END,
    metadata = CASE WHEN public.is_redacted_json(metadata, redacted_metadata) THEN redacted_metadata END
  WHERE id = entry_id
$$;
