import type { AudioPart } from '#server/ports/recordings.ts';
import { serveFiles } from '../media-thread/serve-files.ts';
import { cutParts } from './cut-parts.ts';
import { lookInto } from './look-into.ts';
import type { PartLimits } from './part-cut.ts';

serveFiles((file) => {
  let parts: AsyncGenerator<AudioPart, null> | null = null;
  return {
    look: () => lookInto(file),
    /** Each call makes one part; null after the last. Only the first call's `from` and limits count. */
    async nextPart({ from, ...limits }: PartLimits & { from: number }) {
      parts ??= cutParts(file, from, limits);
      return (await parts.next()).value ?? null;
    },
  };
});
