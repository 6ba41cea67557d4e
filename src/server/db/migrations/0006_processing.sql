-- What a person should know of a step besides its status: why it waits, or in what the result differs from what was asked for.
ALTER TABLE interview
  ADD COLUMN youtube_note       text,
  ADD COLUMN youtube_privacy    text CONSTRAINT interview_youtube_privacy CHECK (youtube_privacy IN ('private', 'unlisted', 'public')),
  ADD COLUMN transcription_note text,
  ADD COLUMN summary_note       text;

ALTER TABLE interview_text
  ADD COLUMN transcript_source text CONSTRAINT interview_text_source
    CHECK (transcript_source IN ('transcription', 'captions', 'interview-service', 'staff')),
  -- What was said when: a list of { startSeconds, endSeconds, text }.
  ADD COLUMN segments          jsonb,
  -- What the summary's text was rendered from; null once somebody has written it.
  ADD COLUMN summary_structure jsonb;

-- A step that is under way or waits. It is there exactly as long as its status reads in-progress, and whoever ends the one ends the other.
CREATE TABLE step_run (
  interview_id text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  step         text NOT NULL CONSTRAINT step_run_step CHECK (step IN ('convert', 'transcribe', 'summarize')),
  run_id       uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The process that works on it; a process that finds another name here has lost it and stops.
  worker       uuid,
  -- A summary that waits for the transcript of the same interview; it has no job before.
  waits        boolean NOT NULL DEFAULT false,
  -- Tries that a service has failed.
  failures     integer NOT NULL DEFAULT 0,
  started_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (interview_id, step)
);

-- How far a video has got at the video host. The row outlives a failure: the next try goes on with the same upload.
CREATE TABLE publication (
  interview_id text COLLATE "C" PRIMARY KEY REFERENCES interview ON DELETE CASCADE,
  -- The upload's address at the host, and the file that it is of; whoever knows it can write the video.
  session      jsonb,
  -- The recording, by its name in the file store: another one is published anew.
  video_file   text NOT NULL,
  -- Set once the host has the whole video.
  video_id     text,
  video_url    text,
  uploaded_at  timestamptz
);

-- Parts of a recording that are transcribed already: what was paid for is not sent again after a restart.
CREATE TABLE transcript_part (
  interview_id  text COLLATE "C" NOT NULL REFERENCES interview ON DELETE CASCADE,
  run_id        uuid NOT NULL,
  part          integer NOT NULL,
  -- The recording that it is of, by its name in the file store: another one is begun anew.
  video_file    text NOT NULL,
  start_seconds double precision NOT NULL,
  segments      jsonb NOT NULL,
  PRIMARY KEY (interview_id, run_id, part)
);
