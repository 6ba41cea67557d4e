import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spoiled } from '#support/hostile-json.ts';
import { CHECKSUMS, Checksums, isMemberName, MANIFEST, Manifest } from './manifest.ts';
import { decodeHeader, encodeHeader } from './tar/tar-header.ts';

const own = fc.oneof(
  fc.constantFrom(MANIFEST, CHECKSUMS, 'secrets/encryption-keys', 'secrets/session-secret'),
  fc.stringMatching(/^database\/[a-z0-9_]{1,40}\/\d{6}\.ndjson$/),
  fc.stringMatching(/^files\/(videos|thumbnails)\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,60}$/),
);
const odd = fc.constantFrom('/', '.', '..', '/../', '\\', '\0', '\n', ':', '%2e', ' ', '', 'ä');
/** Our names, one place in them changed, and names made of what leads elsewhere. */
const name = fc.oneof(
  own,
  fc.tuple(own, fc.nat(60), odd).map(([given, at, changed]) => given.slice(0, at) + changed + given.slice(at + 1)),
  fc.tuple(own, odd).map(([given, begins]) => given.replace(/[^/]*$/, (last) => begins + last)),
  fc
    .array(fc.constantFrom('files', 'videos', 'database', 'secrets', '..', '.', '', '/', '\\', 'C:', 'a.mp4', '\n'))
    .map((parts) => parts.join('/')),
  fc.string(),
);

test('whatever a member is called, it is ours only when it stays in the folder, on every system', () => {
  fc.assert(
    fc.property(name, (given) => {
      if (!isMemberName(given)) return;
      expect(posix.join('/to', given)).toBe(`/to/${given}`);
      expect(posix.resolve('/to', given)).toBe(`/to/${given}`);
      expect(win32.resolve('C:\\to', given)).toBe(`C:\\to\\${given.replaceAll('/', '\\')}`);
      expect(given).toMatch(/^[\w./-]+$/);
      expect(given.split('/').every((part) => part !== '' && !part.startsWith('.'))).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

test('every member that a backup has is ours, and its header is read as it was written', () => {
  fc.assert(
    fc.property(
      own,
      fc.maxSafeNat(),
      fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }),
      (member, size, at) => {
        expect(isMemberName(member)).toBe(true);
        expect(decodeHeader(encodeHeader({ name: member, size }, at))).toEqual({ name: member, size });
      },
    ),
  );
});

test('a header with a byte that has changed is none, or says the same; whatever else stands in its place has a size', () => {
  fc.assert(
    fc.property(own, fc.maxSafeNat(), fc.nat(511), fc.integer({ min: 1, max: 255 }), (member, size, at, by) => {
      const header = encodeHeader({ name: member, size }, new Date(0));
      header[at] = ((header[at] ?? 0) + by) % 256;
      expect([null, { name: member, size }]).toContainEqual(decodeHeader(header));
    }),
    { numRuns: 1_000 },
  );
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 512, maxLength: 512 }),
      fc.uint8Array({ minLength: 12, maxLength: 12 }),
      (block, size) => {
        const header = Buffer.concat([encodeHeader({ name: MANIFEST, size: 0 }, new Date(0))]);
        header.set(size, 124);
        // The sum that fits, as one who writes such a backup on purpose would make it.
        const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
        header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
        for (const given of [header, Buffer.from(block)]) {
          const read = decodeHeader(given);
          if (read) expect(Number.isSafeInteger(read.size) && read.size >= 0).toBe(true);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

const MANIFESTED: Manifest = {
  format: 'video-interview-management backup',
  formatVersion: 1,
  productVersion: '2.0.0',
  createdAt: '2026-03-01T10:00:00.000Z',
  migrations: ['001.sql'],
  tables: [{ name: 'interview', columns: ['id', 'title'] }],
  keyIds: ['a'],
  withSecrets: false,
};
const CHECKED: Checksums = {
  members: { [MANIFEST]: { size: 3, sha256: 'a' }, 'database/interview/000001.ndjson': { size: 9, sha256: 'b' } },
  rows: { interview: 1 },
  missingFiles: ['files/videos/a.mp4'],
};

test('whatever a manifest holds, one that is taken names tables whose rows can be members, and is what was written', () => {
  fc.assert(
    fc.property(spoiled(MANIFESTED), (raw) => {
      const manifest = Manifest.safeParse(raw).data;
      if (!manifest) return;
      expect(raw).toMatchObject(manifest);
      for (const table of manifest.tables) {
        expect(isMemberName(`database/${table.name}/000001.ndjson`)).toBe(true);
        expect(table.columns.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 1_000 },
  );
  expect(Manifest.parse(structuredClone(MANIFESTED))).toEqual(MANIFESTED);
});

test('whatever a table is called, it is taken only when its rows can be members', () => {
  const part = fc.oneof(odd, fc.stringMatching(/^[a-z_0-9]{1,9}$/), fc.constantFrom('"', ';', '--', 'A'));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 3 }), (parts) => {
      const tables = [{ name: parts.join(''), columns: ['id'] }];
      if (Manifest.safeParse({ ...MANIFESTED, tables }).success)
        expect(isMemberName(`database/${parts.join('')}/000001.ndjson`)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('whatever the checksums hold, those that are taken are whole numbers of bytes and rows, and are what was written', () => {
  fc.assert(
    fc.property(spoiled(CHECKED), (raw) => {
      const checksums = Checksums.safeParse(raw).data;
      if (!checksums) return;
      expect(raw).toMatchObject(checksums);
      const counts = [...Object.values(checksums.members).map(({ size }) => size), ...Object.values(checksums.rows)];
      expect(counts.every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
  expect(Checksums.parse(structuredClone(CHECKED))).toEqual(CHECKED);
});
