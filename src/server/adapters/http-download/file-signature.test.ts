import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extensionOf } from './file-signature.ts';

const SIGNATURES = {
  video: [
    ['\0\0\0\x18ftypisom', 'mp4'],
    ['\0\0\0\x14ftypqt  ', 'mov'],
    ['\x1a\x45\xdf\xa3webm', 'webm'],
  ],
  thumbnail: [
    ['\xff\xd8\xff\xe0', 'jpg'],
    ['\x89PNG\r\n\x1a\n', 'png'],
    ['GIF89a', 'gif'],
    ['RIFF\0\0\0\0WEBP', 'webp'],
  ],
} as const;

test('the first bytes of a file decide its kind and its extension', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('video' as const, 'thumbnail' as const),
      fc.nat(3),
      fc.uint8Array({ maxLength: 60 }),
      (kind, nth, rest) => {
        const [begins, extension] = SIGNATURES[kind][nth % SIGNATURES[kind].length] ?? ['', ''];
        const file = Buffer.concat([Buffer.from(begins, 'latin1'), rest]);
        expect([extensionOf(kind, file), extensionOf(kind === 'video' ? 'thumbnail' : 'video', file)]).toEqual([
          extension,
          null,
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
        // With one of these names at this position it would be the beginning of a video.
        fc.pre(!/^.{4}(ftyp|moov|mdat|free|skip|wide|pnot)/s.test(file.toString('latin1')));
        expect([extensionOf('video', file), extensionOf('thumbnail', file)]).toEqual([null, null]);
      },
    ),
  );
});
