import { timed } from './keep-alive-client.ts';
import { bareHireflixList, bareHireflixRefresh } from './refresh/bare-hireflix-client.ts';
import { type RefreshProduct, startRefreshProduct } from './refresh/refresh-product.ts';
import { refreshUnchanged } from './refresh/refresh-unchanged.ts';
import { type SandboxProcess, startSandboxProcess } from './refresh/sandbox-process.ts';
import { type BenchRow, printRows, rowOfRounds } from './row.ts';
import { sized } from './scale.ts';

const ROUNDS = sized(2, 1);
const INTERVIEWS = sized(2_000, 12);
const INVITATIONS = sized(5_000, 120);
const ANSWERS = 3;
/** As in the benchmark `refresh`. Answers of a minute or two are larger. */
const VIDEO_BYTES = sized(2_000_000, 30_000);
/** Response time of a service on the internet. */
const PAGE_MS = 40;

const TITLE = `${INTERVIEWS.toLocaleString('en-US')} interviews of Hireflix with ${ANSWERS} answers`;

/**
 * Refreshes of Hireflix compared with a bare client that downloads and stores the same files. The
 * product also joins the answers of each interview as soon as the last one has arrived, partly
 * during the refresh. `joined` is the time until all are joined.
 */
export async function run(): Promise<BenchRow[]> {
  const sandbox = await startSandboxProcess();
  try {
    await sandbox.fillHireflix(INTERVIEWS, ANSWERS, VIDEO_BYTES);
    await sandbox.setLatency(PAGE_MS, 'hireflix');
    const product = await startRefreshProduct(sandbox, sandbox.hireflix.funnel, { HIREFLIX_URL: sandbox.hireflix.url });
    try {
      return [...(await compare(sandbox, product)), await invitationsRow(sandbox, product)];
    } finally {
      await product.stop();
    }
  } finally {
    await sandbox.stop();
  }
}

/**
 * A refresh of new interviews reads the list of invitations to its end, because any of them may
 * have been answered. The sandbox adds a dozen interviews with recordings.
 */
async function invitationsRow(sandbox: SandboxProcess, product: RefreshProduct): Promise<BenchRow> {
  await sandbox.fillHireflix(INVITATIONS, 0, VIDEO_BYTES);
  await sandbox.setLatency(PAGE_MS, 'hireflix');
  await product.empty();
  await product.refresh();
  await product.joined();
  const times = { bare: [] as number[], ours: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.bare.push(await bareHireflixList(sandbox));
    times.ours.push(await refreshUnchanged(sandbox, product, 'future'));
  }
  return rowOfRounds({
    name: `${INVITATIONS.toLocaleString('en-US')} invitations of Hireflix, new interviews, none answered`,
    ours: times.ours,
    baseline: times.bare,
    unit: 'ms',
    aim: { atMost: 1.5 },
  });
}

async function compare(sandbox: SandboxProcess, product: RefreshProduct): Promise<BenchRow[]> {
  const times = { bare: [] as number[], first: [] as number[], joined: [] as number[] };
  const unchanged = { bare: [] as number[], ours: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    await product.empty();
    times.bare.push(await bareHireflixRefresh(sandbox));
    const took = await product.refresh();
    times.first.push(took);
    times.joined.push(took + (await timed(() => product.joined())));
    unchanged.bare.push(await bareHireflixList(sandbox));
    unchanged.ours.push(await refreshUnchanged(sandbox, product));
  }
  const unit = 'ms';
  return [
    rowOfRounds({
      name: `${TITLE}, against a client that stores them`,
      ours: times.first,
      baseline: times.bare,
      unit,
      aim: { atMost: 1.3 },
    }),
    rowOfRounds({
      name: `${TITLE}, until all answers are joined`,
      ours: times.joined,
      baseline: times.bare,
      unit,
      aim: null,
    }),
    rowOfRounds({
      name: `${TITLE}, nothing changed`,
      ours: unchanged.ours,
      baseline: unchanged.bare,
      unit,
      aim: null,
    }),
  ];
}

if (import.meta.main) printRows(await run());
