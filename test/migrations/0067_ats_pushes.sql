INSERT INTO ats_push (interview_id, connection_id, target, is_checked, verdict, content_hash, note, state, parts, attempts,
  checks, error, write_began_at, due_at, sent_at, worker, process, lost_attempts)
  SELECT min(id), 'Bullhorn', '{"candidateId": "7", "employerId": "4711", "jobId": "88"}', true,
    '{"shareId": 1, "recipient": "Ann Lee", "verdict": "yes", "note": "Very clear answers"}', repeat('ab', 32),
    '{"text": "A summary", "links": []}', 'unclear', '{"noteId": "12", "url": "https://ats.example/7"}', 1, 2,
    'The reply was lost.', '2026-11-25 00:00:00+00', '2026-11-25 00:05:00+00', '2026-11-24 00:00:00+00',
    gen_random_uuid(), gen_random_uuid(), 1
  FROM interview;
INSERT INTO ats_removal (connection_id, target, note_id, marker, url, search_until, failure)
  VALUES ('Bullhorn', '{"candidateId": "8", "employerId": "4711", "jobId": "88"}', '13', 'vim:iv_1', 'https://ats.example/8',
    '2026-11-25 00:05:00+00', 'Bullhorn refused it.');
UPDATE bulk_run SET origin = 'https://interviews.example';
