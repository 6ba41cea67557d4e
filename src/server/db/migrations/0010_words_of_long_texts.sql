-- A text with too many words for one tsvector could not be found when the other text was missing,
-- because concatenating NULL results in NULL.
CREATE OR REPLACE FUNCTION searchable_words(transcription_text text, summary_text text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN to_tsvector('simple', coalesce(transcription_text, '') || ' ' || coalesce(summary_text, ''));
EXCEPTION WHEN program_limit_exceeded THEN
  RETURN to_tsvector('simple', left(coalesce(transcription_text, ''), 40000) || ' ' || left(coalesce(summary_text, ''), 40000));
END $$;

-- Assigning a column on which the words depend computes them again, including their index.
UPDATE interview_text SET transcription_text = transcription_text WHERE words IS NULL;
