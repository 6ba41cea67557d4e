INSERT INTO sync_file (run_id, interview_id, kind, url, segment_id)
  SELECT run_id, interview_id, 'video', 'https://media.example/1.mp4', 'answer-1' FROM sync_file ORDER BY interview_id LIMIT 1;
