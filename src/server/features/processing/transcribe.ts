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
import { joinParts } from './transcript/join-parts.ts';
import { transcriptText } from './transcript/transcript-text.ts';
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
    };
  };

async function fromRecording(on: TranscribeDependencies, context: StepContext): Promise<NewTranscript> {
  const name = await localVideo(on, { ...context, interviewId: context.run.interviewId });
  const { captions, hasSound } = await on.recordings.look(name, context.signal);
  if (captions) return { text: transcriptText(captions), source: 'captions', segments: captions };
  if (!hasSound) throw new StepFailed('This recording has no sound.');
  if (!on.transcriber) throw new StepFailed(NO_TRANSCRIBER);

  const segments = joinParts(await heard({ ...on, transcriber: on.transcriber }, context, name));
  if (segments.length === 0) throw new StepFailed('Nobody speaks in this recording.');
  return { text: transcriptText(segments), source: 'transcription', segments };
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
