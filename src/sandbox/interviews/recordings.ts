import { existsSync, readFileSync } from 'node:fs';
import type { Script } from '#sandbox/media/script.ts';

/** The folder of the committed recordings, transcripts and thumbnails. */
export const MEDIA_DIR = new URL('../media/files/', import.meta.url);

/**
 * The spoken text with times in seconds from the start. Exact, because the speech was generated
 * from it.
 */
export interface Transcript {
  text: string;
  segments: { start: number; end: number; text: string }[];
}

export interface Recording {
  script: Script;
  /** File name, as in `/media/videos/{file}`. */
  file: string;
  durationSeconds: number;
}

const DEFAULT_DURATION_SECONDS = 30;

/** Returns the recordings with their true durations, rounded as the service rounds them. */
export const readRecordings = (scripts: readonly Script[]): Recording[] =>
  scripts.map((script) => ({
    script,
    file: `${script.id}.${script.container}`,
    durationSeconds: readSeconds(script.id),
  }));

/** The length of recording `id`, rounded as the services round it. */
export const readSeconds = (id: string): number => Math.round(readDuration(id));

/** Reads the transcript of recording `id`. */
export const readTranscript = (id: string): Transcript => readTranscriptFile(id);

const readDuration = (id: string) =>
  existsSync(transcriptFile(id)) ? readTranscriptFile(id).durationSeconds : DEFAULT_DURATION_SECONDS;

const transcriptFile = (id: string) => new URL(`${id}.json`, MEDIA_DIR);

const readTranscriptFile = (id: string): Transcript & { durationSeconds: number } =>
  JSON.parse(readFileSync(transcriptFile(id), 'utf8'));
