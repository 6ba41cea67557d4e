import type { Input } from 'mediabunny';
import { MAX_DURATION_SECONDS } from '#contracts/rules/limits.ts';
import { type MediaFile, serveFiles } from '#server/adapters/media-thread/serve-files.ts';
import type { AudioPart, RecordingContent } from '#server/ports/recordings.ts';
import { cutParts } from './cut-parts.ts';
import type { PartLimits } from './part-cut.ts';
import { soundTrackOf } from './sound-track.ts';

serveFiles((file) => {
  let parts: AsyncGenerator<AudioPart, null> | null = null;
  return {
    inspect: () => inspectRecording(file),
    /**
     * Each call returns one part, null after the last. Only the `from` and the limits of the first
     * call count.
     */
    async nextPart({ from, ...limits }: PartLimits & { from: number }) {
      parts ??= cutParts(file, from, limits);
      return (await parts.next()).value ?? null;
    },
  };
});

/** @throws UnreadableRecording */
async function inspectRecording(file: MediaFile): Promise<RecordingContent> {
  return {
    hasSound: (await soundTrackOf(file.input)) !== null,
    durationSeconds: await durationOf(file.input),
  };
}

async function durationOf(input: Input): Promise<number | null> {
  const seconds = (await input.getDurationFromMetadata()) || (await input.computeDuration());
  return seconds > 0 && seconds <= MAX_DURATION_SECONDS ? seconds : null;
}
