import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from './script.ts';

/** The rate of espeak-ng; mono, 16 bits. */
export const SAMPLE_RATE = 22_050;

export interface Speech {
  samples: Int16Array;
  segments: { start: number; end: number; text: string }[];
  /** Start of each answer, in seconds. */
  answersAt: number[];
}

const LEAD_SECONDS = 0.6;
const SENTENCE_PAUSE_SECONDS = 0.35;
const ANSWER_PAUSE_SECONDS = 1.1;
const SILENCE_BELOW = 120;
const PEAK = 0.8 * 32_767;

/** Speaks sentence by sentence, so that the time of each is known exactly. */
export function speak({ answers, voice }: Script, workDir: string): Speech {
  const parts: Int16Array[] = [new Int16Array(LEAD_SECONDS * SAMPLE_RATE)];
  let length = parts[0]?.length ?? 0;
  const append = (samples: Int16Array) => {
    parts.push(samples);
    length += samples.length;
  };
  const speech: Speech = { samples: new Int16Array(), segments: [], answersAt: [] };
  for (const { sentences } of answers) {
    speech.answersAt.push(Math.max(0, length / SAMPLE_RATE - LEAD_SECONDS));
    for (const text of sentences) {
      const start = seconds(length);
      append(speakSentence(text, voice, workDir));
      speech.segments.push({ start, end: seconds(length), text });
      append(silence(SENTENCE_PAUSE_SECONDS));
    }
    append(silence(ANSWER_PAUSE_SECONDS));
  }
  speech.samples = normalised(parts, length);
  return speech;
}

function speakSentence(text: string, { name, speed, pitch }: Script['voice'], workDir: string): Int16Array {
  const file = join(workDir, 'sentence.wav');
  execFileSync('espeak-ng', ['-v', name, '-s', String(speed), '-p', String(pitch), '-z', '-w', file, text]);
  const wav = readFileSync(file);
  const data = wav.indexOf('data', 12, 'latin1') + 8;
  const samples = new Int16Array(wav.buffer.slice(wav.byteOffset + data, wav.byteOffset + wav.length - ((wav.length - data) % 2)));
  const first = samples.findIndex((sample) => Math.abs(sample) > SILENCE_BELOW);
  const last = samples.findLastIndex((sample) => Math.abs(sample) > SILENCE_BELOW);
  return samples.slice(Math.max(0, first), last + 1);
}

function normalised(parts: Int16Array[], length: number): Int16Array {
  const all = new Int16Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  const peak = all.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1);
  return all.map((sample) => Math.round((sample / peak) * PEAK));
}

const silence = (length: number) => new Int16Array(Math.round(length * SAMPLE_RATE));
const seconds = (samples: number) => Math.round((samples / SAMPLE_RATE) * 1000) / 1000;
