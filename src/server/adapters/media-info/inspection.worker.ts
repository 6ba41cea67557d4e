import type { Input } from 'mediabunny';
import { serveFiles } from '#server/adapters/media-thread/serve-files.ts';

serveFiles(({ input }) => ({ duration: () => durationOf(input) }));

/**
 * Reads the duration from the metadata, else from the end of the last packet: a browser's live
 * recording has no duration in its metadata.
 */
async function durationOf(input: Input): Promise<number | null> {
  const stated = await input.getDurationFromMetadata();
  return stated && stated > 0 ? stated : input.computeDuration();
}
