import { LONGEST_SECONDS, TEXT_LIMIT } from '#contracts/rules/limits.ts';
import type { TranscriptSegment } from '#contracts/transcripts.ts';
import { plainCueText } from './cue-text.ts';

const MOST_CUES = 50_000;

/** The cues of a track as they are found. */
export class CueList {
  readonly #cues: TranscriptSegment[] = [];
  #characters = 0;

  /** What comes after is not read. */
  get isFull(): boolean {
    return this.#characters >= TEXT_LIMIT || this.#cues.length >= MOST_CUES;
  }

  /** `text` as the track has it; a cue that says nothing, or at a time that no recording has, is left out. */
  add(startSeconds: number, endSeconds: number, text: string): void {
    const plain = plainCueText(text).slice(0, TEXT_LIMIT - this.#characters);
    if (!plain || this.isFull) return;
    const start = Math.max(0, startSeconds);
    if (start > LONGEST_SECONDS) return;
    this.#characters += plain.length;
    this.#cues.push({
      startSeconds: start,
      endSeconds: Math.min(LONGEST_SECONDS, Math.max(start, endSeconds)),
      text: plain.toWellFormed(),
    });
  }

  /** In the order of their times; null when there is none. */
  get cues(): TranscriptSegment[] | null {
    return this.#cues.length > 0 ? this.#cues.toSorted((a, b) => a.startSeconds - b.startSeconds) : null;
  }
}
