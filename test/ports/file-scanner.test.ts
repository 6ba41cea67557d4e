import { describe, expect, test } from 'vitest';
import { EICAR } from '#sandbox/files/infected-video.ts';
import { clamdScanner } from '#server/adapters/scanner-clamd/clamd-scanner.ts';
import type { FileScanner } from '#server/ports/file-scanner.ts';
import { startClamd } from '#support/clamd.ts';

type Limits = NonNullable<Parameters<typeof startClamd>[0]>;

/** Only tests of a scanner that does not respond pass a short timeout. */
interface StartOptions {
  limits?: Limits;
  timeoutMs?: number;
}

const ADAPTERS: Record<string, (options?: StartOptions) => Promise<{ scanner: FileScanner; clamd: Daemon }>> = {
  clamd: async ({ limits, timeoutMs = 20_000 } = {}) => {
    const clamd = await startClamd(limits);
    const address = { host: '127.0.0.1', port: clamd.port };
    return { scanner: clamdScanner({ address, idleMs: timeoutMs, verdictMs: timeoutMs }), clamd };
  },
};
type Daemon = Awaited<ReturnType<typeof startClamd>>;

const never = new AbortController().signal;
const UNAVAILABLE = { service: 'scanner', kind: 'unavailable', message: expect.stringContaining("isn't responding") };

/** A file in memory that counts its reads. */
function fileOf(bytes: Buffer) {
  const file = {
    reads: 0,
    largest: 0,
    async read(buffer: Uint8Array, position: number) {
      file.reads += 1;
      file.largest = Math.max(file.largest, buffer.length);
      return bytes.copy(buffer, 0, position);
    },
  };
  return file;
}

describe.each(Object.entries(ADAPTERS))('file scanner: %s', (_, start) => {
  test.each([0, 1, 300_000, 5_000_000])(
    'a file of %i bytes without a virus is clean, and all of it is scanned',
    async (size) => {
      const { scanner, clamd } = await start();
      expect(await scanner.scan(fileOf(Buffer.alloc(size, 'a')), never)).toEqual({ status: 'clean' });
      expect(clamd.received).toBe(size);
    },
  );

  test.each([0, 1_000_000, 262_144 - 30])('a virus after %i bytes is detected and named', async (before) => {
    const { scanner } = await start();
    const infected = Buffer.concat([Buffer.alloc(before, 'a'), Buffer.from(EICAR), Buffer.alloc(1_000, 'b')]);
    expect(await scanner.scan(fileOf(infected), never)).toEqual({ status: 'infected', virus: 'Eicar-Signature' });
  });

  test('many concurrent scans get one verdict each', async () => {
    const { scanner } = await start();
    const files = [EICAR, 'clean', EICAR, 'clean'].map((text) => fileOf(Buffer.from(text.padEnd(700_000, ' '))));
    const verdicts = await Promise.all(files.map((file) => scanner.scan(file, never)));
    expect(verdicts.map(({ status }) => status)).toEqual(['infected', 'clean', 'infected', 'clean']);
  });

  test('a file that cannot be scanned is not reported as clean', async () => {
    const { scanner, clamd } = await start();
    clamd.mood = 'error';
    await expect(scanner.scan(fileOf(Buffer.from('a')), never)).rejects.toMatchObject({
      kind: 'bad_response',
      message: expect.stringContaining("couldn't scan this file (Can't allocate memory ERROR)"),
    });
  });

  test('a file above the size limit is sent only in part, and the reason names the settings', async () => {
    const { scanner } = await start({ limits: { maxBytes: 1_000_000 } });
    const file = fileOf(Buffer.alloc(100_000_000));
    await expect(scanner.scan(file, never)).rejects.toMatchObject({
      kind: 'bad_response',
      message: expect.stringMatching(/size limit exceeded.*StreamMaxLength.*MAX_VIDEO_BYTES/),
    });
    expect(file.reads * file.largest).toBeLessThan(50_000_000);
  });

  test('a scanner that stops reading after its verdict is not waited for', async () => {
    const { scanner, clamd } = await start();
    clamd.mood = 'refuses';
    const scanned = scanner.scan(fileOf(Buffer.alloc(200_000_000)), never);
    await expect(scanned).rejects.toMatchObject({ kind: 'bad_response' });
  });

  test.each(['hangs', 'leaves'] as const)(
    'a scanner that %s is unavailable, and the rest of the file is not read',
    async (mood) => {
      const { scanner, clamd } = await start({ timeoutMs: 200 });
      clamd.mood = mood;
      const file = fileOf(Buffer.alloc(200_000_000));
      await expect(scanner.scan(file, never)).rejects.toMatchObject(UNAVAILABLE);
      expect(file.largest).toBeLessThanOrEqual(1_000_000);
      expect(file.reads * file.largest).toBeLessThan(50_000_000);
    },
  );

  test('a scanner that is not running is unavailable', async () => {
    const { scanner, clamd } = await start();
    await expect(scanner.check(never)).resolves.toBeUndefined();
    await clamd.close();
    await expect(scanner.check(never)).rejects.toMatchObject(UNAVAILABLE);
    await expect(scanner.scan(fileOf(Buffer.from('a')), never)).rejects.toMatchObject(UNAVAILABLE);
  });

  test('a read error of the file is passed on', async () => {
    const { scanner } = await start();
    const read = () => Promise.reject(new Error('the disk is missing'));
    await expect(scanner.scan({ read }, never)).rejects.toThrow('the disk is missing');
  });

  test('an aborted signal ends the scan', async () => {
    const { scanner, clamd } = await start();
    clamd.mood = 'hangs';
    const stop = new AbortController();
    const scanned = scanner.scan(fileOf(Buffer.alloc(1_000)), stop.signal);
    stop.abort(new Error('stopped'));
    await expect(scanned).rejects.toThrow('stopped');
    await expect(scanner.check(AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  });
});
