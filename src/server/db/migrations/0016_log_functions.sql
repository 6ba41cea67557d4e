-- The application's account may only read and insert log entries (docs/decisions/0017). These
-- functions run with the rights of the owner. Their search_path contains only schemas in which no
-- other account can create objects.

-- Replaces the texts of an entry. Keeps its time, type, action and status.
CREATE FUNCTION redact_log_entry(entry_id bigint, redacted_summary text, redacted_details jsonb, redacted_metadata jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE public.log_entry SET summary = redacted_summary, details = redacted_details, metadata = redacted_metadata WHERE id = entry_id
$$;

-- Deletes entries older than `moment`, but none of the last 24 hours: LOG_RETENTION_DAYS is at
-- least 1.
CREATE FUNCTION delete_log_entries_before(moment timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM public.log_entry WHERE created_at < least(moment, now() - interval '1 day')
$$;

-- By default, every account can execute functions. Each start grants the right to the application's
-- account.
REVOKE EXECUTE ON FUNCTION redact_log_entry, delete_log_entries_before FROM PUBLIC;
