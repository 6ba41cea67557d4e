import { MAX_TEXT_LENGTH } from '#contracts/rules/limits.ts';
import type { InterviewSource } from '#server/ports/interview-source.ts';
import type { Recordings } from '#server/ports/recordings.ts';
import type { Transcriber } from '#server/ports/transcriber.ts';
import { knownPart, needsTranscription, placeAnswers } from './answer-transcripts.ts';
import { updateTexts } from './interview-texts.repo.ts';
import { ensureLocalAnswers, ensureLocalVideo, type LocalSegment, type LocalVideoDeps } from './local-video.ts';
import { PERMANENT, type StepContext, StepError, type StepWork } from './step-outcome.ts';
import { updateFailures } from './step-runs.repo.ts';
import { findSuppliedTranscript, type NewTranscript, NO_TRANSCRIBER } from './supplied-transcript.ts';
import { boundTranscript, joinParts, type TranscribedPart } from './transcript/bound-transcript.ts';
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
    // The times of answers count from the start of the joined recording, so it is joined first.
    const answers = await ensureLocalAnswers(deps, context);
    const transcript =
      (await findSuppliedTranscript(deps, { ...context, interviewId })) ??
      transcriptOf(
        answers.length > 0 ? await answerParts(deps, context, answers) : await recordingParts(deps, context),
      );
    return {
      status: 'done',
      async store(tx) {
        const { text, source, segments } = transcript;
        await updateTexts(tx, interviewId, {
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

function transcriptOf(parts: readonly TranscribedPart[]): NewTranscript {
  const transcript = boundTranscript(joinParts(parts));
  if (transcript.segments.length === 0) throw new StepError('No speech found in this recording.', PERMANENT);
  return { ...transcript, source: 'transcription' };
}

async function recordingParts(deps: TranscribeDeps, context: StepContext): Promise<TranscribedPart[]> {
  const name = await ensureLocalVideo(deps, context);
  const { hasSound } = await deps.recordings.inspect(name, context.signal);
  if (!hasSound) throw new StepError('This recording has no sound.', PERMANENT);
  if (!deps.transcriber) throw new StepError(NO_TRANSCRIBER);
  return transcribeParts({ ...deps, transcriber: deps.transcriber }, context, { name });
}

/** The first part of answer N has the number N times this. */
const PARTS_PER_ANSWER = 1_000;

/** Transcribes the answers for which the interview service has no text. */
async function answerParts(
  deps: TranscribeDeps,
  context: StepContext,
  local: readonly LocalSegment[],
): Promise<TranscribedPart[]> {
  if (!deps.transcriber) throw new StepError(NO_TRANSCRIBER);
  const service = { ...deps, transcriber: deps.transcriber };
  const parts: TranscribedPart[] = [];
  for (const [index, placed] of placeAnswers(local.map(({ segment }) => segment)).entries()) {
    const name = local[index]?.name;
    if (!name || !needsTranscription(placed.answer)) {
      parts.push(knownPart(placed));
      continue;
    }
    const { hasSound } = await deps.recordings.inspect(name, context.signal);
    const spoken = hasSound ? await transcribeParts(service, context, { name, before: index * PARTS_PER_ANSWER }) : [];
    parts.push(...spoken.map((part) => ({ ...part, startSeconds: placed.startSeconds + part.startSeconds })));
  }
  return parts;
}

/**
 * Transcribes the remaining parts one after the other, and stores each part as soon as it is
 * complete.
 */
async function transcribeParts(
  deps: TranscribeDeps & { transcriber: Transcriber },
  { run, signal, transaction }: StepContext,
  { name, before = 0 }: { name: string; before?: number },
): Promise<TranscribedPart[]> {
  const parts = await listParts(deps.db, run, name);
  for await (const part of deps.recordings.audioParts(name, parts.length, signal)) {
    const { segments } = await deps.transcriber.transcribe(part, signal);
    const done = { index: before + part.index, videoFile: name, startSeconds: part.startSeconds, segments };
    await transaction(async (tx) => {
      await insertPart(tx, run, done);
      await updateFailures(tx, run, 0);
    });
    parts.push(done);
  }
  return parts;
}
