-- What keeps an erased candidate out: keyed hashes of ids of interviews and of e-mail addresses, which say nothing without their key.
CREATE TABLE erasure_mark (
  mark      bytea PRIMARY KEY,
  erased_at timestamptz NOT NULL DEFAULT now()
);
-- The key of the marks, sealed with the encryption key. One row, made with the first mark.
CREATE TABLE erasure_key (
  one_row    boolean PRIMARY KEY DEFAULT true CONSTRAINT erasure_key_one_row CHECK (one_row),
  key_sealed bytea NOT NULL
);
-- Published videos of erased candidates, until the host has removed them; one that it would not remove keeps the reason.
CREATE TABLE video_removal (
  video_id  text PRIMARY KEY,
  video_url text NOT NULL,
  failure   text,
  asked_at  timestamptz NOT NULL DEFAULT now()
);
