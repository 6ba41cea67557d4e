import { LRUCache } from 'lru-cache';
import type { getAts } from '#contracts/ats.ts';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { DestinationWarning } from '#contracts/interviews.ts';
import { type Destination, parseDestination } from '#contracts/rules/destination.ts';
import type { Setup } from '#contracts/setup.ts';
import { AppError } from '#server/app-error.ts';
import type { Ats, AtsJob } from '#server/ports/ats.ts';
import type { AtsConnectionStore } from '#server/ports/ats-connection.ts';
import type { Log } from '#server/ports/log.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';

/** The applicant tracking system of this installation. */
export interface ConfiguredAts {
  ats: Ats;
  connection: AtsConnectionStore;
  /** The account that notes are written as. */
  account: string;
}

/** The checklist asks the ATS at most this often. */
const CHECK_AGE_MS = 10 * 60_000;
const CHECK_TIMEOUT_MS = 3_000;
const TIMEOUT_MS = 10_000;

/** The applicant tracking system as users see it. */
export class ConnectedAts {
  readonly #configured: ConfiguredAts | null;
  readonly #log: Log;
  readonly #canWrite = new LRUCache<'canWrite', { canWrite: boolean }>({ max: 1, ttl: CHECK_AGE_MS });

  /** `configured` is null if no system is configured. */
  constructor(configured: ConfiguredAts | null, log: Log) {
    this.#configured = configured;
    this.#log = log;
  }

  async find(): Promise<ResponseOf<typeof getAts>> {
    if (!this.#configured) return { name: null, state: 'not_configured', account: null };
    const { ats, connection, account } = this.#configured;
    const { state } = await connection.read();
    return { name: ats.name, state, account: state === 'not_configured' ? null : account };
  }

  /** The row of the setup checklist. `canWrite` is null while the ATS does not respond. */
  async findSetup(): Promise<Pick<Setup, 'ats' | 'atsAccount'>> {
    const { name, state, account } = await this.find();
    if (name === null || account === null || state !== 'connected') return { ats: false, atsAccount: null };
    return { ats: true, atsAccount: { name, account, canWrite: await this.#findCanWrite() } };
  }

  /** @throws AppError `not_configured`; UpstreamError */
  async searchJobs(search: string): Promise<AtsJob[]> {
    if (!this.#configured)
      throw new AppError('not_configured', 'No applicant tracking system is connected. Ask an admin to connect one.');
    const { ats } = this.#configured;
    return await askInTime(ats, TIMEOUT_MS, (signal) => ats.searchJobs(search, signal));
  }

  /**
   * Returns null if the job is open and belongs to the employer, or if the ATS does not respond.
   */
  async findDestinationWarning(destinationId: string): Promise<DestinationWarning | null> {
    const destination = parseDestination(destinationId);
    if (!this.#configured || !destination) return null;
    const { ats, connection } = this.#configured;
    try {
      if ((await connection.read()).state !== 'connected') return null;
      const job = await ats.findJob(destination, AbortSignal.timeout(TIMEOUT_MS));
      return warningAbout(ats.name, destination, job);
    } catch (error) {
      this.#log.warn({ err: error }, 'a destination was not checked');
      return null;
    }
  }

  async #findCanWrite(): Promise<boolean | null> {
    const known = this.#canWrite.get('canWrite');
    if (known) return known.canWrite;
    const checked = await this.#configured?.ats.check(AbortSignal.timeout(CHECK_TIMEOUT_MS)).catch(() => null);
    if (!checked) return null;
    this.#canWrite.set('canWrite', checked);
    return checked.canWrite;
  }
}

/** @throws UpstreamError, also when the ATS does not respond in time */
export async function askInTime<T>({ name }: Ats, ms: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  try {
    return await ask(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new UpstreamError(name, 'unavailable', `${name} didn't respond in time. Try again.`);
  }
}

function warningAbout(name: string, { employerId, jobId }: Destination, job: AtsJob | null): DestinationWarning | null {
  if (!job) return { kind: 'missing', text: `${name} has no job ${jobId}. Check the Job ID.` };
  const found = `"${job.title}" of ${job.employerName} (${job.employerId})`;
  if (job.employerId !== employerId)
    return { kind: 'other_client', text: `Job ${jobId} in ${name} is ${found}, not of employer ${employerId}.` };
  return job.isOpen ? null : { kind: 'closed', text: `${found} is closed in ${name}.` };
}
