import { type ChildProcess, spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { startBulkRun } from '#contracts/bulk.ts';
import { deleteFunnel, listFunnels } from '#contracts/funnels.ts';
import { getInterview, saveSummary, saveTranscript, setDestination } from '#contracts/interviews.ts';
import { convertInterview, summarizeInterview, transcribeInterview } from '#contracts/processing.ts';
import { MAX_BULK_ITEMS } from '#contracts/rules/limits.ts';
import { cancelSync, getSyncStatus, startSync } from '#contracts/sync.ts';
import { CLI, spawnCommand } from '#support/commands.ts';
import { findPostmasterPid } from '#support/embedded-server.ts';
import type { ProductProcess } from '#support/start-process.ts';
import { until } from '#support/until.ts';
import { cutOff, killRepeatedly, type Work } from './support/kill-repeatedly.ts';
import { activateFunnelOf, refresh, type Stage, setStage } from './support/stage.ts';

const FUNNEL = 'warehouse';

/** Adds interviews, some with a video, changes old ones, and replaces some videos. */
function changeSource({ sandbox: { control } }: Stage, round: number): void {
  control.grow(FUNNEL, 120, { newestAt: new Date(Date.UTC(2026, 2, 1) + round * 86_400_000) });
  control.grow(FUNNEL, 12, { videoBytes: 400_000, newestAt: new Date(Date.UTC(2026, 3, 1) + round * 86_400_000) });
  for (const { id } of control.interviews(FUNNEL).slice(0, 20))
    control.change(FUNNEL, id, { title: `Round ${round} of ${id}` });
  const generated = control.interviews(FUNNEL).filter(({ videoUrl }) => videoUrl?.includes('/generated/'));
  for (const { id, videoUrl } of generated.slice(0, 10))
    control.change(FUNNEL, id, { videoUrl: `${videoUrl?.split('?')[0]}?version=${round}` });
}

/** Expects every interview of the service once the interrupted refresh has ended. */
async function expectEverything(product: ProductProcess, { sandbox, ask }: Stage): Promise<void> {
  const status = await product.call(getSyncStatus, {});
  const source = sandbox.control.interviews(FUNNEL);
  // If the kill came before the start was committed, there was nothing to resume.
  if (status.total < source.length) await refresh(product);
  const [row] = await ask<{ n: string; titles: string }>(
    `SELECT count(*) AS n, count(*) FILTER (WHERE title LIKE 'Round %') AS titles FROM interview`,
  );
  expect({ there: Number(row?.n), status: (await product.call(getSyncStatus, {})).error }).toEqual({
    there: source.length,
    status: null,
  });
}

const refreshing: Pick<Work, 'prepare' | 'begin' | 'check'> = {
  async prepare(product, { sandbox }) {
    await activateFunnelOf(product, sandbox, FUNNEL);
    sandbox.control.fail({ kind: 'latency', ms: 40 });
    sandbox.control.fail({ kind: 'latency', ms: 60, on: 'media' });
  },
  async begin(product, stage, round) {
    changeSource(stage, round);
    cutOff(product.call(startSync, { query: {} }));
  },
  check: expectEverything,
};

const withRecordings: Work['prepare'] = async (product, { sandbox }) => {
  await activateFunnelOf(product, sandbox, FUNNEL);
  await refresh(product);
};

/** The sandbox's predefined interviews, whose recordings contain speech. */
const recorded = ({ sandbox }: Stage) => sandbox.control.interviews(FUNNEL).filter(({ id }) => !id.includes('_g'));

const steps =
  (step: typeof transcribeInterview | typeof summarizeInterview): Work['begin'] =>
  async (product, stage) => {
    for (const { id } of recorded(stage)) cutOff(product.call(step, { params: { id } }));
  };

/** Publishes the recordings of two new interviews of a candidate with this email. */
async function publishTwo(product: ProductProcess, { sandbox, ask }: Stage, round: number): Promise<string> {
  const email = `candidate-${round}@erased.example`;
  const newestAt = new Date(Date.UTC(2026, 5, 1) + round * 86_400_000);
  const grown = sandbox.control.grow(FUNNEL, 2, { videoBytes: 50_000, newestAt });
  for (const { id } of grown) sandbox.control.change(FUNNEL, id, { candidate: { name: `Candidate ${round}`, email } });
  await refresh(product);
  for (const { id } of grown) await product.call(convertInterview, { params: { id } });
  await until('both are published', async () => {
    const rows = await ask(`SELECT FROM interview WHERE candidate_email = '${email}' AND youtube_status = 'completed'`);
    return rows.length === grown.length;
  });
  return email;
}

const withSlowHost: Work['prepare'] = async (product, { sandbox }) => {
  await activateFunnelOf(product, sandbox, FUNNEL);
  sandbox.control.fail({ kind: 'latency', ms: 50, on: 'google' });
};

/** Values whose save was confirmed to the client. */
const confirmedValues = new Map<string, string>();

const WORKS: Work[] = [
  { name: 'refreshes', kills: 18, withinMs: 900, ...refreshing },
  {
    name: 'refreshes that are being canceled',
    kills: 6,
    withinMs: 400,
    ...refreshing,
    async begin(product, stage, round) {
      await refreshing.begin(product, stage, round);
      cutOff(product.call(startSync, { query: {} }).finally(() => product.call(cancelSync, {})));
    },
    check: async () => {},
  },
  {
    name: 'uploads',
    kills: 16,
    withinMs: 1_200,
    async prepare(product, { sandbox }) {
      await activateFunnelOf(product, sandbox, FUNNEL);
      sandbox.control.fail({ kind: 'latency', ms: 70, on: 'google' });
    },
    async begin(product, { sandbox: { control } }, round) {
      const grown = control.grow(FUNNEL, 2, {
        videoBytes: 20_000_000,
        newestAt: new Date(Date.UTC(2026, 4, 1) + round * 86_400_000),
      });
      await refresh(product);
      for (const { id } of grown) cutOff(product.call(convertInterview, { params: { id } }));
    },
    async check(_product, { ask }) {
      expect(await ask("SELECT id, youtube_error FROM interview WHERE youtube_status = 'failed'")).toEqual([]);
    },
  },
  {
    name: 'transcriptions',
    kills: 12,
    withinMs: 900,
    async prepare(product, stage) {
      await withRecordings(product, stage);
      stage.sandbox.control.fail({ kind: 'latency', ms: 250, on: 'transcription' });
    },
    begin: steps(transcribeInterview),
    async check(_product, { ask }) {
      expect(await ask("SELECT id, transcription_error FROM interview WHERE transcription_status = 'failed'")).toEqual(
        [],
      );
    },
  },
  {
    name: 'summaries that wait for their transcripts',
    kills: 12,
    withinMs: 1_400,
    async prepare(product, stage) {
      await withRecordings(product, stage);
      stage.sandbox.control.fail({ kind: 'latency', ms: 150, on: 'transcription' });
      stage.sandbox.control.fail({ kind: 'latency', ms: 200, on: 'chat' });
    },
    begin: steps(summarizeInterview),
    async check(_product, { ask }) {
      expect(await ask("SELECT id, summary_error FROM interview WHERE summary_status = 'failed'")).toEqual([]);
    },
  },
  {
    name: 'text edits',
    kills: 14,
    withinMs: 250,
    prepare: withRecordings,
    async begin(product, stage, round) {
      for (const { id } of recorded(stage)) cutOff(keepEditing(product, id, round));
    },
    async check(product, stage) {
      for (const { id } of recorded(stage)) {
        const interview = await product.call(getInterview, { params: { id } });
        for (const [what, text] of Object.entries({
          transcript: interview.transcriptionText,
          summary: interview.summaryText,
          destination: interview.destinationId,
        })) {
          const confirmed = confirmedValues.get(`${what} ${id}`);
          // A later value may have been committed without a confirmation.
          if (confirmed && numberIn(text ?? '') < numberIn(confirmed))
            throw new Error(`${what} of ${id} is ${text}, though ${confirmed} was saved`);
        }
      }
    },
  },
  {
    name: 'funnel deletions',
    kills: 12,
    withinMs: 120,
    async prepare(product, { sandbox }) {
      await activateFunnelOf(product, sandbox, FUNNEL);
      sandbox.control.grow(FUNNEL, 150, { videoBytes: 20_000 });
      await refresh(product);
    },
    async begin(product, { sandbox }) {
      const funnels = await product.call(listFunnels, {});
      if (funnels.length === 0) {
        await activateFunnelOf(product, sandbox, FUNNEL);
        await refresh(product);
      }
      for (const { id } of await product.call(listFunnels, {})) cutOff(product.call(deleteFunnel, { params: { id } }));
    },
  },
  {
    name: 'deletions of a funnel with published videos',
    kills: 6,
    withinMs: 250,
    prepare: withSlowHost,
    async begin(product, stage, round) {
      if ((await product.call(listFunnels, {})).length === 0) await activateFunnelOf(product, stage.sandbox, FUNNEL);
      await publishTwo(product, stage, round);
      for (const { id } of await product.call(listFunnels, {})) cutOff(product.call(deleteFunnel, { params: { id } }));
    },
    async check(product, { sandbox, settled }) {
      // The kill may have come before the commit.
      for (const { id } of await product.call(listFunnels, {})) await product.call(deleteFunnel, { params: { id } });
      await settled();
      expect(sandbox.control.published()).toEqual([]);
    },
  },
  {
    name: 'erasures with published videos, with the command killed too',
    kills: 6,
    withinMs: 3_000,
    prepare: withSlowHost,
    async begin(product, stage, round) {
      const email = await publishTwo(product, stage, round);
      const env = { PATH: process.env.PATH, ...stage.env };
      erasing = spawn(process.execPath, [CLI, 'candidate', 'erase', email, '--yes'], { env, stdio: 'ignore' });
    },
    async kill(product) {
      erasing?.kill('SIGKILL');
      await product.kill();
    },
    async check(_product, { ask, env }, round) {
      const email = `candidate-${round}@erased.example`;
      const count = async () => (await ask('SELECT FROM interview WHERE candidate_email = $1', [email])).length;
      expect([0, 2]).toContain(await count());
      const { code, stderr } = await spawnCommand(['candidate', 'erase', email, '--yes'], env);
      expect([code, await count()], stderr).toEqual([0, 0]);
    },
  },
  {
    name: 'bulk runs over 10,000 interviews',
    kills: 8,
    withinMs: 1_500,
    async prepare(product, stage) {
      await activateFunnelOf(product, stage.sandbox, FUNNEL);
      const { control } = stage.sandbox;
      control.grow(FUNNEL, MAX_BULK_ITEMS - control.interviews(FUNNEL).length);
      // Files would take most of the time.
      const withoutFiles = { videoUrl: null, thumbnailUrl: null };
      control.add(FUNNEL, ...control.interviews(FUNNEL).map((interview) => ({ ...interview, ...withoutFiles })));
      await refresh(product);
    },
    async begin(product, _stage, round) {
      const isArchived = round % 2 === 0;
      const filter = { archived: isArchived ? '1' : '0' } as const;
      const body = {
        action: isArchived ? 'unarchive' : 'archive',
        target: { filter, expected: MAX_BULK_ITEMS },
      } as const;
      await product.call(startBulkRun, { body });
    },
    async check(_product, { ask }, round) {
      const [run] = await ask('SELECT status, done_count FROM bulk_run ORDER BY id DESC LIMIT 1');
      expect(run).toEqual({ status: 'completed', done_count: MAX_BULK_ITEMS });
      const [row] = await ask<{ n: string }>('SELECT count(*) AS n FROM interview WHERE archived_at IS NOT NULL');
      expect(Number(row?.n)).toBe(round % 2 === 0 ? 0 : MAX_BULK_ITEMS);
    },
  },
  {
    name: 'all work at once, with the database killed too (power cut)',
    kills: 10,
    withinMs: 1_500,
    async prepare(product, stage) {
      await refreshing.prepare(product, stage);
      await refresh(product);
    },
    async begin(product, stage, round) {
      await refreshing.begin(product, stage, round);
      const [first, second, third] = recorded(stage);
      if (first) cutOff(product.call(summarizeInterview, { params: { id: first.id } }));
      if (second) cutOff(product.call(convertInterview, { params: { id: second.id } }));
      if (third) cutOff(product.call(transcribeInterview, { params: { id: third.id } }));
    },
    async kill(product, { env }) {
      const postmaster = await findPostmasterPid(env.DATA_DIR);
      await product.kill();
      process.kill(postmaster, 'SIGKILL');
    },
    check: expectEverything,
  },
];

/** The command that a kill interrupts. */
let erasing: ChildProcess | null = null;

const numberIn = (text: string) => Number(/(\d+)$/.exec(text)?.[1] ?? 0);

/** Saves texts until the process ends, and records each confirmed value. */
async function keepEditing(product: ProductProcess, id: string, round: number): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    const text = `Written ${round * 10_000 + turn}`;
    await product.call(saveTranscript, { params: { id }, body: { transcriptionText: text } });
    confirmedValues.set(`transcript ${id}`, text);
    await product.call(saveSummary, { params: { id }, body: { summaryText: text } });
    confirmedValues.set(`summary ${id}`, text);
    const destinationId = `BUB-ACME-${round * 10_000 + turn}`;
    await product.call(setDestination, { params: { id }, body: { destinationId } });
    confirmedValues.set(`destination ${id}`, destinationId);
  }
}

test('at least a hundred kills are tested', () => {
  expect(WORKS.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThanOrEqual(100);
});

for (const work of WORKS) {
  const name = `nothing is lost, duplicated or stuck after ${work.kills} kills during ${work.name}`;
  test(name, { timeout: 400_000 }, async () => killRepeatedly(work, await setStage()));
}
