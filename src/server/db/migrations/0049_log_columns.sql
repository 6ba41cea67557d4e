-- Works since 0020_finding.sql
ALTER TABLE log_entry
  -- The funnel that the entry is about. No foreign key: the entry outlives the funnel.
  ADD COLUMN funnel_id integer,
  -- The interviews that the entry mentions. Null: not known, so an erasure searches its texts.
  ADD COLUMN interview_ids text[];

-- Redacts an entry as before, and forgets the erased interviews.
CREATE FUNCTION erase_from_log_entry(
  entry_id bigint, redacted_summary text, redacted_details jsonb, redacted_metadata jsonb, erased_ids text[]
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT public.redact_log_entry(entry_id, redacted_summary, redacted_details, redacted_metadata);
  UPDATE public.log_entry SET interview_ids = ARRAY(SELECT id FROM unnest(interview_ids) AS id WHERE id <> ALL(erased_ids))
  WHERE id = entry_id AND interview_ids && erased_ids;
$$;
REVOKE EXECUTE ON FUNCTION erase_from_log_entry FROM PUBLIC;
