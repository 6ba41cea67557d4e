import type { Input } from 'mediabunny';
import { serveFiles } from '../media-thread/serve-files.ts';

serveFiles(({ input }) => ({ duration: () => durationOf(input) }));

/** What the file says of itself, else the end of its last packet: a browser's live recording says nothing. */
async function durationOf(input: Input): Promise<number | null> {
  const stated = await input.getDurationFromMetadata();
  return stated && stated > 0 ? stated : input.computeDuration();
}
