import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { Erasure, Holding } from '../features/candidates/candidates.service.ts';
import type { CandidateRequest } from './candidate-request.ts';
import type { OpenedCandidates } from './candidates-of.ts';
import { confirm } from './confirm.ts';
import type { Terminal } from './read-password.ts';

/** How long files and published videos are waited for; they go later all the same. */
const PATIENCE_MS = 30_000;

/** Says what is held, asks, erases, and says what was erased and what is left to do. */
export async function eraseCandidate(
  opened: OpenedCandidates,
  { email, isConfirmed }: CandidateRequest,
  { config, terminal }: { config: Config; terminal: Terminal },
): Promise<string> {
  const held = await opened.candidates.find(email);
  terminal.output.write(`Held of ${email}:\n${listOf(held)}\n`);
  if (!isConfirmed) await confirm(terminal, 'All of it is removed for good.');
  const erasure = await opened.candidates.erase(email);
  const runs = await opened.productRuns();
  const isFinished = runs ? await finished(erasure) : await erasure.isFinished();
  if (isFinished) await erasure.forget();
  return [
    `Erased:\n${listOf(erasure)}`,
    'The next refresh leaves these interviews out.',
    ...(await whatIsLeft(erasure, { isFinished, runs, config })),
  ].join('\n');
}

async function finished(erasure: Erasure): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await erasure.isFinished())) {
    if (performance.now() > deadline) return false;
    await sleep(100);
  }
  return true;
}

async function whatIsLeft(
  erasure: Erasure,
  { isFinished, runs, config }: { isFinished: boolean; runs: boolean; config: Config },
): Promise<string[]> {
  const lines: string[] = [];
  if (!isFinished)
    lines.push(
      runs
        ? 'Files and published videos are still being removed; the product goes on with it until they are gone.'
        : 'The product is not running: files and published videos are removed at its next start.',
    );
  for (const { url, failure } of await erasure.videosLeft()) {
    const isConnected = config.YOUTUBE_CLIENT_ID && config.YOUTUBE_CLIENT_SECRET && config.YOUTUBE_REFRESH_TOKEN;
    const reason = failure ?? (isConnected ? null : 'YouTube is not connected to this installation.');
    lines.push(reason ? `Delete this video by hand: ${url}\n  ${reason}` : `Not deleted yet: ${url}`);
  }
  if (isFinished && lines.length === 0) lines.push('Nothing is left to do.');
  return lines;
}

const plural = (n: number, one: string, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;

const listOf = ({ interviews, files, transcripts, summaries, logEntries, videos }: Holding) =>
  [
    `${plural(interviews, 'interview')}, ${plural(files, 'file')}, ${plural(transcripts, 'transcript')}, ${plural(summaries, 'summary', 'summaries')}`,
    `${plural(logEntries, 'log entry', 'log entries')} with mentions`,
    `${plural(videos.length, 'published video')}${videos.length > 0 ? `: ${videos.map(({ url }) => url).join(', ')}` : ''}`,
  ]
    .map((line) => `  ${line}`)
    .join('\n');
