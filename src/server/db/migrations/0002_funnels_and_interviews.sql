CREATE TABLE funnel (
  id                        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name                      text NOT NULL,
  client_name               text,
  description               text,
  api_key_encrypted         bytea NOT NULL,
  -- The id of the funnel at the external service.
  external_id               text NOT NULL,
  direct_link               text,
  skills                    text,
  professional_expectations text,
  skill_expectations        text,
  education_expectations    text,
  culture_expectations      text,
  is_active                 boolean NOT NULL DEFAULT false,
  created_at                timestamptz NOT NULL DEFAULT now()
);
-- At most one active funnel, even under concurrent clicks.
CREATE UNIQUE INDEX funnel_one_active ON funnel (is_active) WHERE is_active;

CREATE TABLE interview (
  -- The id at the external service. "C" compares bytes, because ids are not words of a language.
  id                   text COLLATE "C" PRIMARY KEY,
  funnel_id            integer NOT NULL REFERENCES funnel ON DELETE CASCADE,
  title                text NOT NULL,
  description          text,
  candidate_name       text,
  candidate_email      text,
  candidate_phone      text,
  recorded_at          timestamptz NOT NULL,
  created_at           timestamptz NOT NULL,
  source_updated_at    timestamptz,
  -- Seconds; 0 means unknown.
  duration_seconds     integer NOT NULL DEFAULT 0,
  original_url         text,
  thumbnail_url        text,
  thumbnail_file       text,
  video_url            text,
  video_file           text,
  questions            jsonb NOT NULL DEFAULT '[]',
  youtube_id           text,
  youtube_url          text,
  youtube_status       text CONSTRAINT interview_youtube_status CHECK (youtube_status IN ('in-progress', 'completed', 'failed')),
  youtube_progress     integer NOT NULL DEFAULT 0,
  youtube_error        text,
  youtube_at           timestamptz,
  transcription_status text CONSTRAINT interview_transcription_status CHECK (transcription_status IN ('in-progress', 'completed', 'failed')),
  transcription_error  text,
  transcription_at     timestamptz,
  summary_status       text CONSTRAINT interview_summary_status CHECK (summary_status IN ('in-progress', 'completed', 'failed')),
  summary_error        text,
  summary_at           timestamptz,
  destination_id       text,
  destination_notes    text,
  destination_at       timestamptz,
  archived_at          timestamptz,
  -- Everything the badges depend on, encoded in eight bits. listing-facts.ts decodes them.
  facts                smallint NOT NULL GENERATED ALWAYS AS (
      (youtube_id IS NOT NULL)::int
    + (destination_id IS NOT NULL)::int * 2
    + (CASE youtube_status       WHEN 'in-progress' THEN 1 WHEN 'completed' THEN 2 WHEN 'failed' THEN 3 ELSE 0 END) * 4
    + (CASE transcription_status WHEN 'in-progress' THEN 1 WHEN 'completed' THEN 2 WHEN 'failed' THEN 3 ELSE 0 END) * 16
    + (CASE summary_status       WHEN 'in-progress' THEN 1 WHEN 'completed' THEN 2 WHEN 'failed' THEN 3 ELSE 0 END) * 64
  ) STORED
);
CREATE INDEX interview_funnel ON interview (funnel_id);

-- A text with too many different words for one tsvector (1 MB) must not fail. Only its beginning is
-- indexed.
CREATE FUNCTION searchable_words(transcription_text text, summary_text text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN to_tsvector('simple', coalesce(transcription_text, '') || ' ' || coalesce(summary_text, ''));
EXCEPTION WHEN program_limit_exceeded THEN
  RETURN to_tsvector('simple', left(transcription_text, 40000) || ' ' || left(summary_text, 40000));
END $$;

-- Long texts have a separate table, so that reading a page of the list skips them.
CREATE TABLE interview_text (
  interview_id       text COLLATE "C" PRIMARY KEY REFERENCES interview ON DELETE CASCADE,
  transcription_text text,
  summary_text       text,
  words              tsvector GENERATED ALWAYS AS (searchable_words(transcription_text, summary_text)) STORED
);
CREATE INDEX interview_text_words ON interview_text USING gin (words);
