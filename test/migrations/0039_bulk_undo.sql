UPDATE bulk_run SET keep_existing = true;
UPDATE bulk_item SET former_destination_id = 'BUB-ACME-1', former_destination_notes = 'Call first', former_destination_at = '2026-11-22 00:00:00+00';
