import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spoiled } from '#support/hostile-json.ts';
import { CHECKSUMS, Checksums, isMemberName, MANIFEST, Manifest, SIGNATURE } from './manifest.ts';

const own = fc.oneof(
  fc.constantFrom(MANIFEST, CHECKSUMS, SIGNATURE, 'secrets/encryption-keys', 'secrets/session-secret'),
  fc.stringMatching(/^database\/[a-z0-9_]{1,40}\/\d{6}\.ndjson$/),
  fc.stringMatching(/^files\/(videos|thumbnails)\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,60}$/),
);
const odd = fc.constantFrom('/', '.', '..', '/../', '\\', '\0', '\n', ':', '%2e', ' ', '', 'ä');
/** Valid names, valid names with one change, and names that lead out of the folder. */
const name = fc.oneof(
  own,
  fc.tuple(own, fc.nat(60), odd).map(([given, at, changed]) => given.slice(0, at) + changed + given.slice(at + 1)),
  fc.tuple(own, odd).map(([given, begins]) => given.replace(/[^/]*$/, (last) => begins + last)),
  fc
    .array(fc.constantFrom('files', 'videos', 'database', 'secrets', '..', '.', '', '/', '\\', 'C:', 'a.mp4', '\n'))
    .map((parts) => parts.join('/')),
  fc.string(),
);

test('an accepted member name stays in the folder on every system', () => {
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

test('every member name of a backup is accepted', () => {
  fc.assert(fc.property(own, (member) => isMemberName(member)));
});

const MANIFESTED: Manifest = {
  format: 'video-interview-management backup',
  formatVersion: 2,
  productVersion: '2.0.0',
  createdAt: '2026-03-01T10:00:00.000Z',
  migrations: ['001.sql'],
  tables: [{ name: 'interview', columns: ['id', 'title'] }],
  keyIds: ['a'],
  withSecrets: false,
  withFiles: true,
};
const CHECKED: Checksums = {
  members: { [MANIFEST]: { size: 3, sha256: 'a' }, 'database/interview/000001.ndjson': { size: 9, sha256: 'b' } },
  rows: { interview: 1 },
  missingFiles: ['files/videos/a.mp4'],
};

test('an accepted manifest has valid table names and keeps its values', () => {
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

test('a table name is accepted only when its rows can be members', () => {
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

test('accepted checksums have valid counts and keep their values', () => {
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
