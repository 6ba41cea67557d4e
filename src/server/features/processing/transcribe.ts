import { TEXT_LIMIT } from '#contracts/rules/limits.ts';
import type { Database } from '../../db/database.ts';
import type { InterviewSource } from '../../ports/interview-source.ts';
import type { Recordings } from '../../ports/recordings.ts';
import type { Transcriber } from '../../ports/transcriber.ts';
import { type LocalVideoDependencies, localVideo } from './local-video.ts';
import { StepFailed } from './step-ended.ts';
import { forgetFailures } from './step-runs.repo.ts';
import type { StepContext, StepWork } from './step-worker.ts';
import { NO_TRANSCRIBER, suppliedTranscript } from './supplied-transcript.ts';
import { type NewTranscript, storeTranscript } from './texts.repo.ts';
import { boundTranscript } from './transcript/bound-transcript.ts';
import { joinParts } from './transcript/join-parts.ts';
import { forgetParts, storePart, transcribedParts } from './transcript-parts.repo.ts';

export interface TranscribeDependencies extends LocalVideoDependencies {
  db: Database;
  source: InterviewSource;
  recordings: Recordings;
  transcriber: Transcriber | null;
}

/** Takes the transcript that somebody made already, else the recording's captions, else what a service hears. */
export const transcribe =
  (on: TranscribeDependencies): StepWork =>
  async (context) => {
    const transcript =
      (await suppliedTranscript(on, { ...context, interviewId: context.run.interviewId })) ??
      (await fromRecording(on, context));
    return {
      async store(tx) {
        await storeTranscript(tx, context.run.interviewId, transcript);
        await forgetParts(tx, context.run.interviewId);
      },
      note: transcript.isCut ? cutNote() : null,
    };
  };

const cutNote = () =>
  `This transcript is longer than the ${TEXT_LIMIT.toLocaleString('en-US')} characters that are kept. Its end is missing.`;

async function fromRecording(on: TranscribeDependencies, context: StepContext): Promise<NewTranscript> {
  const name = await localVideo(on, { ...context, interviewId: context.run.interviewId });
  const { captions, hasSound } = await on.recordings.look(name, context.signal);
  if (captions) return { ...boundTranscript(captions), source: 'captions' };
  if (!hasSound) throw new StepFailed('This recording has no sound.');
  if (!on.transcriber) throw new StepFailed(NO_TRANSCRIBER);

  const parts = await heard({ ...on, transcriber: on.transcriber }, context, name);
  const transcript = boundTranscript(joinParts(parts));
  if (transcript.segments.length === 0) throw new StepFailed('Nobody speaks in this recording.');
  return { ...transcript, source: 'transcription' };
}

/** Sends what is not transcribed yet, part after part; each is kept as soon as it has come. */
async function heard(on: TranscribeDependencies & { transcriber: Transcriber }, context: StepContext, name: string) {
  const { run, signal, transaction } = context;
  const parts = await transcribedParts(on.db, run, name);
  for await (const part of on.recordings.audioParts(name, parts.length, signal)) {
    const { segments } = await on.transcriber.transcribe(part, signal);
    const done = { index: part.index, videoFile: name, startSeconds: part.startSeconds, segments };
    await transaction(async (tx) => {
      await storePart(tx, run, done);
      await forgetFailures(tx, run);
    });
    parts.push(done);
  }
  return parts;
}
