import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listInterviews } from '#contracts/interviews.ts';
import { ADA, candidateCommand } from '#support/candidate.ts';
import { setUpProcessing } from '#support/processing.ts';
import { FUNNEL, refresh } from '#support/refreshing.ts';
import { readConfig } from '../config/config.ts';
import { confirm } from './confirm.ts';
import { openDatabase } from './open-database.ts';

const PROGRAM = fileURLToPath(new URL('./candidate.ts', import.meta.url));

/** Runs the program as a person would, where nobody can be asked. */
async function candidate(environment: Record<string, string>, args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, complained, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  return { printed, complained, code };
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'candidate-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

describe('exporting', () => {
  test('writes all that is held of the candidate, and nothing of anybody else', async () => {
    const { sandbox, product, recruiter, id, done, read } = await setUpProcessing({ at: () => ({ candidate: ADA }) });
    for (const step of ['convert', 'transcribe', 'summarize'] as const) await done(step);
    const [, other] = sandbox.control.interviews(FUNNEL);
    sandbox.control.change(FUNNEL, id, { candidate: { ...ADA, name: 'Ada Formerly' } });
    sandbox.control.change(FUNNEL, other?.id ?? '', {
      candidate: { name: 'Bob Somebody', email: 'bob@somebody.example' },
    });
    await refresh(product, recruiter);
    const into = await folder();
    const file = join(into, 'ada.json');

    const { said } = await candidateCommand(product, ['export', ADA.email, file, '--files', join(into, 'files')]);
    expect(said).toContain(`(1 interviews,`);
    const written = await readFile(file, 'utf8');
    const held = JSON.parse(written);
    const interview = await read();
    expect(held).toMatchObject({
      email: ADA.email,
      interviews: [
        {
          id,
          title: interview.title,
          candidate: { ...ADA, name: 'Ada Formerly' },
          questions: interview.processingStatus.questions,
          publication: { status: 'completed', url: interview.youtubeUrl },
          transcript: { status: 'completed', text: expect.stringMatching(/\w/), segments: expect.any(Array) },
          summary: { status: 'completed', text: expect.stringMatching(/\w/), structure: expect.any(Object) },
          video: { file: interview.videoFile },
        },
      ],
    });
    const refreshed = held.logMentions.filter(({ action }: { action: string }) => action === 'sync-interviews');
    expect(refreshed.at(-1).details.detailedChanges).toEqual({
      [id]: expect.objectContaining({ fields: { candidateName: { oldValue: ADA.name, newValue: 'Ada Formerly' } } }),
    });
    for (const others of ['Bob', 'bob@', other?.id ?? 'Bob']) expect(written).not.toContain(others);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const copies = await readdir(join(into, 'files'));
    expect(copies.sort()).toEqual([interview.thumbnailFile, interview.videoFile].sort());
    const copied = await readFile(join(into, 'files', interview.videoFile ?? ''));
    expect(copied).toEqual(await readFile(join(product.dataDir, 'files', 'videos', interview.videoFile ?? '')));
  });

  test('goes to standard output without a file', async () => {
    const { product } = await setUpProcessing({ at: () => ({ candidate: ADA }) });
    const { printed, code } = await candidate(product.environment, ['export', ADA.email]);
    expect(code).toBe(0);
    expect(JSON.parse(printed).interviews).toHaveLength(1);
  });
});

describe('erasing', () => {
  test('is not done where nobody can be asked, unless --yes says so', async () => {
    const { product, recruiter } = await setUpProcessing({ at: () => ({ candidate: ADA }) });
    const found = async () => (await recruiter.call(listInterviews, { query: { search: ADA.email } })).total;
    const refused = await candidate(product.environment, ['erase', ADA.email]);
    expect(refused).toMatchObject({ code: 1, printed: '' });
    expect(refused.complained).toContain('1 interview, 2 files');
    expect(refused.complained).toContain('add --yes to do it. Nothing was changed.');
    expect(await found()).toBe(1);

    const done = await candidate(product.environment, ['erase', ADA.email, '--yes']);
    expect(done).toMatchObject({ code: 0 });
    expect(done.printed).toContain('Nothing is left to do.');
    expect(await found()).toBe(0);
  });

  test.each([
    ['yes', true],
    ['no', false],
    ['', false],
  ])('at a terminal the answer "%s" decides', async (answer, goesOn) => {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input as never });
    const output = new PassThrough();
    output.on('data', (chunk) => {
      if (String(chunk).includes('Type yes')) setImmediate(() => input.write(`${answer}\n`));
    });
    const asked = confirm({ input, output }, 'All of it is removed for good.');
    if (goesOn) await asked;
    else await expect(asked).rejects.toThrow('Nothing was changed.');
  });
});

test('works on an embedded database that no product has running', { timeout: 60_000 }, async () => {
  const environment = { DATA_DIR: await folder() };
  await (await openDatabase(readConfig(environment), { needs: 'usable' })).close();
  const { printed, code } = await candidate(environment, ['export', ADA.email]);
  expect([code, JSON.parse(printed).interviews]).toEqual([0, []]);
});

test('a folder without a database is refused by name, and stays as it is', async () => {
  const environment = { DATA_DIR: await folder() };
  const { complained, code } = await candidate(environment, ['erase', ADA.email, '--yes']);
  expect([code, complained]).toEqual([
    1,
    `There is no database in ${environment.DATA_DIR}. Set DATA_DIR to the folder of the product, or start the product there first.\n`,
  ]);
  expect(await readdir(environment.DATA_DIR)).toEqual([]);
});

test.each([
  [[], 'Say what to do.'],
  [['remove', ADA.email], 'There is no command remove.'],
  [['erase'], 'Say whom, by e-mail address'],
  [['erase', 'Ada'], 'Say whom, by e-mail address'],
  [['erase', ADA.email, 'now'], 'Too many words.'],
  [['export', ADA.email, '--yes'], "Unknown option '--yes'"],
])('%j is answered with the usage and ends with 2', async (args, reason) => {
  const { code, complained } = await candidate({}, args);
  expect(code).toBe(2);
  expect(complained).toContain(reason);
  expect(complained).toContain('npm run candidate -- erase EMAIL');
});
