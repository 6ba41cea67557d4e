import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasSignature } from './file-signature.ts';

const SIGNATURES = {
  video: ['\0\0\0\x18ftypisom', '\x1a\x45\xdf\xa3webm'],
  thumbnail: ['\xff\xd8\xff\xe0', '\x89PNG\r\n\x1a\n', 'GIF89a', 'RIFF\0\0\0\0WEBP'],
};

test('the first bytes of a file decide its kind', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('video' as const, 'thumbnail' as const),
      fc.nat(3),
      fc.uint8Array({ maxLength: 60 }),
      (kind, nth, rest) => {
        const begins = SIGNATURES[kind][nth % SIGNATURES[kind].length] ?? '';
        const file = Buffer.concat([Buffer.from(begins, 'latin1'), rest]);
        expect([hasSignature(kind, file), hasSignature(kind === 'video' ? 'thumbnail' : 'video', file)]).toEqual([
          true,
          false,
        ]);
      },
    ),
  );
});

test('web pages, scripts and texts are neither videos nor images', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('<!doctype html>', '<svg ', '#!/bin/sh\n', '{"error":', 'PK\x03\x04', 'MZ', '%PDF-'),
      fc.string(),
      (begins, rest) => {
        const file = Buffer.from(`${begins}${rest}`);
        // Four letters at this position would form a valid box.
        fc.pre(!/^.{4}(ftyp|moov|mdat|free|skip|wide|pnot)/s.test(file.toString('latin1')));
        expect([hasSignature('video', file), hasSignature('thumbnail', file)]).toEqual([false, false]);
      },
    ),
  );
});
