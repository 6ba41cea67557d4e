import type { Input } from 'mediabunny';
import { MAX_DURATION_SECONDS } from '#contracts/rules/limits.ts';
import { type MediaFile, serveFiles } from '#server/adapters/media-thread/serve-files.ts';
import type { AudioPart, RecordingContent } from '#server/ports/recordings.ts';
import { cutParts } from './cut-parts.ts';
import { commonFormat } from './join/join-format.ts';
import { DifferentRecordings, openInputs } from './join/join-inputs.ts';
import { planJoin } from './join/plan-join.ts';
import { writeJoined } from './join/write-joined.ts';
import type { PlannedJoin } from './join-recordings.ts';
import type { PartLimits } from './part-cut.ts';
import { soundTrackOf } from './sound-track.ts';

serveFiles((file) => {
  let parts: AsyncGenerator<AudioPart, null> | null = null;
  let joined: AsyncGenerator<Uint8Array<ArrayBuffer>, null> | null = null;
  return {
    inspect: () => inspectRecording(file),
    duration: () => durationOf(file.input),
    /**
     * Each call returns one part, null after the last. Only the `from` and the limits of the first
     * call count.
     */
    async nextPart({ from, ...limits }: PartLimits & { from: number }) {
      parts ??= cutParts(file, from, limits);
      return (await parts.next()).value ?? null;
    },
    /** `sizes` are the sizes of the recordings, which the open file contains one after another. */
    async planJoin({ sizes }: { sizes: readonly number[] }): Promise<PlannedJoin> {
      try {
        const inputs = await openInputs(file, sizes);
        const format = await commonFormat(inputs);
        const plan = await planJoin(inputs, format, file.reportProgress);
        joined = writeJoined({ format, plan, reportProgress: file.reportProgress });
        const startSeconds = plan.segments.map((segment) => segment.startSeconds);
        return { extension: format.extension, startSeconds, durationSeconds: plan.endSeconds };
      } catch (error) {
        if (error instanceof DifferentRecordings) return { different: error.message };
        throw error;
      }
    },
    /** Each call returns the next bytes of the joined file, null after the last. */
    async nextBytes() {
      const bytes = (await joined?.next())?.value ?? null;
      return bytes && { bytes };
    },
  };
});

/** @throws UnreadableRecording */
async function inspectRecording(file: MediaFile): Promise<RecordingContent> {
  return {
    hasSound: (await soundTrackOf(file.input)) !== null,
    pictureSize: await pictureSizeOf(file.input),
    durationSeconds: await durationOf(file.input),
  };
}

async function pictureSizeOf(input: Input): Promise<RecordingContent['pictureSize']> {
  const track = await input.getPrimaryVideoTrack();
  return track && { width: await track.getDisplayWidth(), height: await track.getDisplayHeight() };
}

/**
 * Reads the duration from the metadata, else from the end of the last packet: a browser's live
 * recording has no duration in its metadata.
 */
async function durationOf(input: Input): Promise<number | null> {
  const seconds = (await input.getDurationFromMetadata()) || (await input.computeDuration());
  return seconds > 0 && seconds <= MAX_DURATION_SECONDS ? seconds : null;
}
