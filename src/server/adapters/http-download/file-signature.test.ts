import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginsLike } from './file-signature.ts';

const BEGINNINGS = {
  video: ['\0\0\0\x18ftypisom', '\x1a\x45\xdf\xa3webm'],
  thumbnail: ['\xff\xd8\xff\xe0', '\x89PNG\r\n\x1a\n', 'GIF89a', 'RIFF\0\0\0\0WEBP'],
};

test('a file is of its kind by how it begins, whatever follows', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('video' as const, 'thumbnail' as const),
      fc.nat(3),
      fc.uint8Array({ maxLength: 60 }),
      (kind, nth, rest) => {
        const begins = BEGINNINGS[kind][nth % BEGINNINGS[kind].length] ?? '';
        const file = Buffer.concat([Buffer.from(begins, 'latin1'), rest]);
        expect([beginsLike(kind, file), beginsLike(kind === 'video' ? 'thumbnail' : 'video', file)]).toEqual([
          true,
          false,
        ]);
      },
    ),
  );
});

test('a page of a website, a script and a text are neither', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('<!doctype html>', '<svg ', '#!/bin/sh\n', '{"error":', 'PK\x03\x04', 'MZ', '%PDF-'),
      fc.string(),
      (begins, rest) => {
        const file = Buffer.from(`${begins}${rest}`);
        // Four letters in the right place would make a box of it.
        fc.pre(!/^.{4}(ftyp|moov|mdat|free|skip|wide|pnot)/s.test(file.toString('latin1')));
        expect([beginsLike('video', file), beginsLike('thumbnail', file)]).toEqual([false, false]);
      },
    ),
  );
});
