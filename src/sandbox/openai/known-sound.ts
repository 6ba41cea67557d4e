import { readFile } from 'node:fs/promises';
import { MEDIA_DIR, readTranscript, type Transcript } from '#sandbox/interviews/recordings.ts';
import { SCRIPTS } from '#sandbox/media/scripts.ts';
import { soundPackets } from './sound-packets.ts';

/** Position of a packet in the recordings. */
export interface Place {
  id: string;
  startSeconds: number;
}

/**
 * The sound of the sandbox's recordings: the positions of each packet, more than one for silence.
 */
export type KnownSound = ReadonlyMap<string, readonly Place[]>;

let known: Promise<KnownSound> | undefined;

/** Loaded with the first request, so that a sandbox without transcriptions starts without it. */
export function knownSound(): Promise<KnownSound> {
  known ??= readRecordings();
  return known;
}

async function readRecordings(): Promise<KnownSound> {
  const places = new Map<string, Place[]>();
  for (const { id, container } of SCRIPTS) {
    const bytes = await readFile(new URL(`${id}.${container}`, MEDIA_DIR));
    for (const { print, startSeconds } of await soundPackets(bytes)) {
      const same = places.get(print) ?? [];
      same.push({ id, startSeconds });
      places.set(print, same);
    }
  }
  return places;
}

export const transcriptOf = (id: string): Transcript => readTranscript(id);
