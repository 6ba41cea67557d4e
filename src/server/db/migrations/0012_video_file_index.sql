-- Finds the interview of a recording that is played, for its log entry.
CREATE INDEX interview_video_file ON interview (video_file) WHERE video_file IS NOT NULL;
