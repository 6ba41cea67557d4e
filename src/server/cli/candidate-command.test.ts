import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addComment } from '#contracts/comments.ts';
import { deleteFunnel } from '#contracts/funnels.ts';
import { listInterviews } from '#contracts/interviews.ts';
import { saveReview } from '#contracts/reviews.ts';
import { readConfig } from '#server/config/config.ts';
import { ADA, candidateCommand, tablesWith } from '#support/candidate.ts';
import { runCommandLine } from '#support/commands.ts';
import { setUpProcessing } from '#support/processing.ts';
import { FUNNEL, refresh } from '#support/refreshing.ts';
import { openDatabase } from './open-database.ts';
import { confirm } from './terminal.ts';

const candidate = (environment: Record<string, string>, args: string[]) =>
  runCommandLine(['candidate', ...args], environment);

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'candidate-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

describe('candidate export', () => {
  test('candidate export writes everything stored about the candidate and nothing about anyone else', async () => {
    const { sandbox, product, recruiter, id, done, read } = await setUpProcessing({ at: () => ({ candidate: ADA }) });
    for (const step of ['convert', 'transcribe', 'summarize'] as const) await done(step);
    const [, other] = sandbox.control.interviews(FUNNEL);
    sandbox.control.change(FUNNEL, id, { candidate: { ...ADA, name: 'Ada Formerly' } });
    sandbox.control.change(FUNNEL, other?.id ?? '', {
      candidate: { name: 'Bob Somebody', email: 'bob@somebody.example' },
    });
    await refresh(product, recruiter);
    const review = { ratings: { skillExpectations: 4 }, recommendation: 3, note: 'Speaks clearly.', submit: true };
    await recruiter.call(saveReview, { params: { id }, body: review });
    await recruiter.call(addComment, { params: { id }, body: { body: 'Listen again.', atSeconds: 12.5 } });
    const into = await folder();
    const file = join(into, 'ada.json');

    const { result } = await candidateCommand(product, ['export', ADA.email, file, '--files', join(into, 'files')]);
    expect(result).toContain('(1 interview,');
    const written = await readFile(file, 'utf8');
    const held = JSON.parse(written);
    const interview = await read();
    expect(held).toMatchObject({
      emails: [ADA.email],
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
          comments: [{ author: 'admin', body: 'Listen again.', atSeconds: 12.5 }],
          reviews: [
            {
              author: 'admin',
              recommendation: 3,
              ratings: [{ criterion: 'Skill Expectations', rating: 4 }],
              note: 'Speaks clearly.',
            },
          ],
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

  test('candidate export writes to standard output when no file is given', async () => {
    const { product } = await setUpProcessing({ at: () => ({ candidate: ADA }) });
    const { printed, code } = await candidate(product.environment, ['export', ADA.email]);
    expect(code).toBe(0);
    expect(JSON.parse(printed).interviews).toHaveLength(1);
  });
});

describe('a candidate without an email', () => {
  const NAMELESS = { name: 'Ada Unmistakable\u001b[2J', email: null, phone: ADA.phone };

  test('a candidate without an email is found by name, phone, title or id, and exported and erased by the id of the interview', async () => {
    const { product, recruiter, id } = await setUpProcessing({
      at: () => ({ candidate: NAMELESS, title: 'Night shift' }),
    });
    for (const text of ['ada unmistakable', '5550 1843', 'NIGHT SHIFT', id]) {
      const { result } = await candidateCommand(product, ['find', text]);
      expect(result).toContain('1 interview found.');
      // A name must not control the terminal.
      expect(result).toContain(`${id}: Ada Unmistakable [2J, ${ADA.phone}`);
    }
    expect((await candidateCommand(product, ['find', 'Unknown Person'])).result).toBe('0 interviews found.');

    const { result } = await candidateCommand(product, ['export', '--interview', id]);
    expect(JSON.parse(result)).toMatchObject({ interviewIds: [id], interviews: [{ id, title: 'Night shift' }] });

    await candidateCommand(product, ['erase', '--interview', id, '--yes']);
    expect(await tablesWith(product, [id, 'Ada Unmistakable', ADA.phone])).toEqual([]);
    await refresh(product, recruiter);
    expect((await recruiter.call(listInterviews, { query: { search: 'Night shift' } })).total).toBe(0);
  });

  test('a candidate without an email is found after their funnel was deleted', async () => {
    const { product, recruiter, id, funnelId } = await setUpProcessing({ at: () => ({ candidate: NAMELESS }) });
    await recruiter.call(deleteFunnel, { params: { id: funnelId } });
    const { result } = await candidateCommand(product, ['find', 'unmistakable']);
    expect(result).toMatch(new RegExp(`${id}: Ada Unmistakable .*\\n +deleted with its funnel \\d{4}-`));
    const exported = await candidateCommand(product, ['export', '--interview', id]);
    expect(JSON.parse(exported.result).deletedInterviews).toMatchObject([{ id, candidate: { phone: ADA.phone } }]);
    await candidateCommand(product, ['erase', '--interview', id, '--yes']);
    expect(await tablesWith(product, [id, 'Ada Unmistakable'])).toEqual([]);
  });
});

test('several emails and interviews of a candidate are exported and erased at once', async () => {
  const { sandbox, product, recruiter, id } = await setUpProcessing({ at: () => ({ candidate: ADA }) });
  const [, second, third, other] = sandbox.control.interviews(FUNNEL).map((interview) => interview.id);
  sandbox.control.change(FUNNEL, second ?? '', { candidate: { ...ADA, email: 'ada@former.example' } });
  sandbox.control.change(FUNNEL, third ?? '', { candidate: { ...ADA, email: null } });
  await refresh(product, recruiter);
  const who = [ADA.email, 'Ada@Former.example', '--interview', third ?? ''];
  const { result } = await candidateCommand(product, ['export', ...who]);
  const ids = JSON.parse(result).interviews.map((interview: { id: string }) => interview.id);
  expect(ids.sort()).toEqual([id, second, third].sort());
  const { shown } = await candidateCommand(product, ['erase', ...who, '--yes']);
  expect(shown).toContain('3 interviews');
  expect(await tablesWith(product, [ADA.name, 'ada@former.example', ADA.phone])).toEqual([]);
  expect((await recruiter.call(listInterviews, { query: { search: other ?? '' } })).total).toBe(1);
});

describe('candidate erase', () => {
  test('candidate erase fails without a terminal, unless --yes is passed', async () => {
    const { product, recruiter } = await setUpProcessing({ at: () => ({ candidate: ADA }) });
    const found = async () => (await recruiter.call(listInterviews, { query: { search: ADA.email } })).total;
    const refused = await candidate(product.environment, ['erase', ADA.email]);
    expect(refused).toMatchObject({ code: 1, printed: '' });
    expect(refused.stderr).toContain('1 interview, 2 files');
    expect(refused.stderr).toContain('Run again with --yes. Nothing was changed.');
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
  ])('candidate erase continues at a terminal only after the answer yes: "%s"', async (answer, goesOn) => {
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

test('a candidate of whom nothing is stored is an error, even when the server is not running', {
  timeout: 60_000,
}, async () => {
  const environment = { DATA_DIR: await folder() };
  await (await openDatabase(readConfig(environment), { needs: 'usable' }))[Symbol.asyncDispose]();
  for (const args of [
    ['export', ADA.email, join(environment.DATA_DIR, 'ada.json')],
    ['erase', ADA.email],
  ]) {
    const { printed, stderr, code } = await candidate(environment, args);
    expect([code, printed]).toEqual([1, '']);
    expect(stderr).toContain(`Nothing is stored about ${ADA.email}. Check the spelling`);
  }
  expect(await readdir(environment.DATA_DIR)).not.toContain('ada.json');
});

test('a folder without a database is rejected and left unchanged', async () => {
  const environment = { DATA_DIR: await folder() };
  const { stderr, code } = await candidate(environment, ['erase', ADA.email, '--yes']);
  expect([code, stderr]).toEqual([
    1,
    `There is no database in ${environment.DATA_DIR}. Set DATA_DIR to the product's folder, or start the server there first.\n`,
  ]);
  expect(await readdir(environment.DATA_DIR)).toEqual([]);
});

test.each([
  [[], 'Missing command.'],
  [['remove', ADA.email], 'Unknown command remove.'],
  [['find', ' '], 'TEXT is empty.'],
  [['erase'], 'Missing EMAIL or --interview ID.'],
  [['erase', 'iv_1'], 'iv_1 is not an email address. For the id of an interview use --interview iv_1.'],
  [['erase', ADA.email, 'now'], 'now is not an email address.'],
  [['erase', '--interview', ''], 'The id of --interview is empty.'],
  [['export', ADA.email, 'a.json', 'b.json'], 'Too many arguments.'],
  [['export', ADA.email, '--yes'], "Unknown option '--yes'"],
])('candidate %j prints the usage and exits with 2', async (args, reason) => {
  const { code, stderr } = await candidate({}, args);
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
  expect(stderr).toContain('npm run candidate -- erase EMAIL…');
});
