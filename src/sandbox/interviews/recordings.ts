import { existsSync, readFileSync } from 'node:fs';
import type { Script } from '../media/script.ts';

/** Where the committed recordings, transcripts and thumbnails lie. */
export const MEDIA_DIR = new URL('../media/files/', import.meta.url);

/** What is said on a recording and when, in seconds from its start. True to the sample: the speech was made from it. */
export interface Transcript {
  text: string;
  segments: { start: number; end: number; text: string }[];
}

export interface Recording {
  script: Script;
  /** The file's name, as in `/media/videos/{file}`. */
  file: string;
  durationSeconds: number;
}

const DEFAULT_DURATION_SECONDS = 30;

/** The recordings with their true durations, rounded as the service rounds them. */
export const readRecordings = (scripts: readonly Script[]): Recording[] =>
  scripts.map((script) => ({
    script,
    file: `${script.id}.${script.container}`,
    durationSeconds: Math.round(readDuration(script.id)),
  }));

/** The transcript committed beside recording `id`. */
export const readTranscript = (id: string): Transcript => readTranscriptFile(id);

const readDuration = (id: string) =>
  existsSync(transcriptFile(id)) ? readTranscriptFile(id).durationSeconds : DEFAULT_DURATION_SECONDS;

const transcriptFile = (id: string) => new URL(`${id}.json`, MEDIA_DIR);

const readTranscriptFile = (id: string): Transcript & { durationSeconds: number } =>
  JSON.parse(readFileSync(transcriptFile(id), 'utf8'));
