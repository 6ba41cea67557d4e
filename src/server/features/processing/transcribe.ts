import { MAX_TEXT_LENGTH } from '#contracts/rules/limits.ts';
import { interviewTexts } from '#server/features/interviews/interviews.service.ts';
import type { InterviewSource } from '#server/ports/interview-source.ts';
import type { Recordings } from '#server/ports/recordings.ts';
import type { Transcriber } from '#server/ports/transcriber.ts';
import { ensureLocalVideo, type LocalVideoDeps } from './local-video.ts';
import { type StepContext, StepError, type StepWork } from './step-outcome.ts';
import { updateFailures } from './step-runs.repo.ts';
import { findSuppliedTranscript, type NewTranscript, NO_TRANSCRIBER } from './supplied-transcript.ts';
import { boundTranscript, joinParts } from './transcript/bound-transcript.ts';
import { deleteParts, insertPart, listParts } from './transcript-parts.repo.ts';

export interface TranscribeDeps extends LocalVideoDeps {
  source: InterviewSource;
  recordings: Recordings;
  transcriber: Transcriber | null;
}

/** Uses the interview service's transcript, else the transcription service. */
export const transcribe =
  (deps: TranscribeDeps): StepWork =>
  async (context) => {
    const { interviewId } = context.run;
    const transcript =
      (await findSuppliedTranscript(deps, { ...context, interviewId })) ?? (await fromRecording(deps, context));
    return {
      status: 'done',
      async store(tx) {
        const { text, source, segments } = transcript;
        await interviewTexts.updateTexts(tx, interviewId, {
          transcription_text: text,
          transcript_source: source,
          segments,
        });
        await deleteParts(tx, interviewId);
        return true;
      },
      note: transcript.isCut
        ? `The transcript was cut off at ${MAX_TEXT_LENGTH.toLocaleString('en-US')} characters.`
        : null,
    };
  };

async function fromRecording(deps: TranscribeDeps, context: StepContext): Promise<NewTranscript> {
  const name = await ensureLocalVideo(deps, context);
  const { hasSound } = await deps.recordings.inspect(name, context.signal);
  if (!hasSound) throw new StepError('This recording has no sound.');
  if (!deps.transcriber) throw new StepError(NO_TRANSCRIBER);

  const parts = await transcribeParts({ ...deps, transcriber: deps.transcriber }, context, name);
  const transcript = boundTranscript(joinParts(parts));
  if (transcript.segments.length === 0) throw new StepError('No speech found in this recording.');
  return { ...transcript, source: 'transcription' };
}

/**
 * Transcribes the remaining parts one after the other, and stores each part as soon as it is
 * complete.
 */
async function transcribeParts(
  deps: TranscribeDeps & { transcriber: Transcriber },
  { run, signal, transaction }: StepContext,
  name: string,
) {
  const parts = await listParts(deps.db, run, name);
  for await (const part of deps.recordings.audioParts(name, parts.length, signal)) {
    const { segments } = await deps.transcriber.transcribe(part, signal);
    const done = { index: part.index, videoFile: name, startSeconds: part.startSeconds, segments };
    await transaction(async (tx) => {
      await insertPart(tx, run, done);
      await updateFailures(tx, run, 0);
    });
    parts.push(done);
  }
  return parts;
}
