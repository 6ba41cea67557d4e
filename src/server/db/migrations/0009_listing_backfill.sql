-- Adds interviews that are older than the listing and have not been updated since.
INSERT INTO listing (interview_id, funnel_id, recorded_at, facts, search_text)
SELECT i.id, i.funnel_id, i.recorded_at, i.facts, listing_search_text(i.*::interview) FROM interview AS i WHERE i.archived_at IS NULL
ON CONFLICT (interview_id) DO NOTHING;
