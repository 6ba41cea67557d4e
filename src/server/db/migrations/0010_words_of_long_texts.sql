-- A text too varied for one tsvector was found by none of its words when the other was missing: NULL joined to a text is NULL.
CREATE OR REPLACE FUNCTION searchable_words(transcription_text text, summary_text text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN to_tsvector('simple', coalesce(transcription_text, '') || ' ' || coalesce(summary_text, ''));
EXCEPTION WHEN program_limit_exceeded THEN
  RETURN to_tsvector('simple', left(coalesce(transcription_text, ''), 40000) || ' ' || left(coalesce(summary_text, ''), 40000));
END $$;

-- Naming a column that the words depend on computes them again, in their index too. All other rows have theirs.
UPDATE interview_text SET transcription_text = transcription_text WHERE words IS NULL;
