import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { markPostmasterDead, readPostmasterPid } from './leftover-server.ts';

const cluster = mkdtempSync(join(tmpdir(), 'postmaster-file-'));
const file = join(cluster, 'postmaster.pid');
afterAll(() => rmSync(cluster, { recursive: true }));

const MAX_PID = 2 ** 31 - 1;
const pid = fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: MAX_PID }));
const odd = fc.oneof(
  fc.constantFrom('', '0', '-1', '1e5', '1e999', '0x10', '1.5', 'NaN', '99999999999', '-99999999999', ' 7', '7 ', '\0'),
  fc.integer().map(String),
  fc.string(),
);
const lines = fc.array(odd, { maxLength: 9 }).map((given) => given.join('\n'));

test('the process id in postmaster.pid is read, complete or partly written', async () => {
  await fc.assert(
    fc.asyncProperty(pid, fc.nat(9), fc.constantFrom('\n', '\r\n'), async (id, written, end) => {
      const all = [id, '/data/postgres', 1_772_359_200, 5432, '/tmp', 'localhost', '12345 678', 'ready'];
      writeFileSync(file, all.slice(0, written).join(end));
      expect(await readPostmasterPid(cluster)).toBe(written === 0 ? null : id);
    }),
  );
});

test('the negative process id of a server in single-user mode is read', async () => {
  await fc.assert(
    fc.asyncProperty(pid, async (id) => {
      writeFileSync(file, `-${id}\n/data/postgres\n`);
      expect(await readPostmasterPid(cluster)).toBe(id);
    }),
  );
});

test('postmaster.pid yields a valid process, or is deleted', async () => {
  await fc.assert(
    fc.asyncProperty(lines, async (text) => {
      writeFileSync(file, text);
      const read = await readPostmasterPid(cluster);
      expect(existsSync(file)).toBe(read !== null);
      if (read !== null) expect(Number.isInteger(read) && read > 0 && read <= MAX_PID).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('markPostmasterDead keeps the rest of the file', async () => {
  await fc.assert(
    fc.asyncProperty(pid, fc.boolean(), lines, async (id, isSingle, rest) => {
      writeFileSync(file, `${isSingle ? '-' : ''}${id}\n${rest}`);
      await markPostmasterDead(cluster);
      expect(await readPostmasterPid(cluster)).toBe(MAX_PID);
      expect(readFileSync(file, 'utf8')).toBe(`${MAX_PID}\n${rest}`);
    }),
  );
});
