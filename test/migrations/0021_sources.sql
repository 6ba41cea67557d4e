UPDATE funnel SET source = 'hireflix';
INSERT INTO interview_segment (interview_id, position, source_id, question, video_url, video_file, thumbnail_url,
    thumbnail_file, duration_seconds, start_seconds, is_ready, answer_text, transcript)
  SELECT id, 0, 'answer-1', 'Why us?', 'https://media.example/1.mp4', 'iv-1.mp4', 'https://media.example/1.jpg',
    'iv-1.jpg', 12.5, 0, true, NULL, '{"text": "Because.", "segments": [{"text": "Because.", "startSeconds": 0, "endSeconds": 1}]}'
  FROM interview ORDER BY id LIMIT 1;
INSERT INTO interview_segment (interview_id, position, source_id, question, is_ready, answer_text)
  SELECT id, 1, 'answer-2', 'When?', false, 'In May.' FROM interview ORDER BY id LIMIT 1;
