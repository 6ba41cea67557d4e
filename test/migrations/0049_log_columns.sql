INSERT INTO log_entry (type, action, status, summary, metadata, funnel_id, interview_ids)
SELECT 'system', 'archive-interview', 'success', 'An interview was archived.', jsonb_build_object('interviewId', id), funnel_id, ARRAY[id]
FROM interview ORDER BY id LIMIT 1;
