-- The application's account may only read and insert log entries (docs/decisions/0017). These functions run with the rights
-- of the owner. Their search_path contains no schema in which another account can create objects.

-- Replaces the texts of an entry. Its time, type, action and status stay.
CREATE FUNCTION redact_log_entry(entry_id bigint, redacted_summary text, redacted_details jsonb, redacted_metadata jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE public.log_entry SET summary = redacted_summary, details = redacted_details, metadata = redacted_metadata WHERE id = entry_id
$$;

-- Deletes entries from before the moment, but never one of the last 24 hours: LOG_RETENTION_DAYS is at least 1.
CREATE FUNCTION delete_log_entries_before(moment timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM public.log_entry WHERE created_at < least(moment, now() - interval '1 day')
$$;

-- Functions can be executed by every account unless that is revoked. The application's account is granted it at each start.
REVOKE EXECUTE ON FUNCTION redact_log_entry, delete_log_entries_before FROM PUBLIC;
