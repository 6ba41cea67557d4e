-- Keep erased candidates from being added again: keyed hashes of interview ids and email addresses,
-- which reveal nothing without the key.
CREATE TABLE erasure_mark (
  mark      bytea PRIMARY KEY,
  erased_at timestamptz NOT NULL DEFAULT now()
);
-- The key of these hashes, encrypted with the encryption key. Has one row, which the first mark
-- adds.
CREATE TABLE erasure_key (
  one_row    boolean PRIMARY KEY DEFAULT true CONSTRAINT erasure_key_one_row CHECK (one_row),
  key_sealed bytea NOT NULL
);
-- Published videos of erased candidates, until the host has deleted them. If the host refuses, the
-- row keeps the reason.
CREATE TABLE video_removal (
  video_id  text PRIMARY KEY,
  video_url text NOT NULL,
  failure   text,
  asked_at  timestamptz NOT NULL DEFAULT now()
);
