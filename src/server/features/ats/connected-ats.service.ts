import { LRUCache } from 'lru-cache';
import type { getAts } from '#contracts/ats.ts';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { Setup } from '#contracts/setup.ts';
import { AppError } from '#server/app-error.ts';
import type { Ats, AtsJob } from '#server/ports/ats.ts';
import type { AtsConnectionStore } from '#server/ports/ats-connection.ts';
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
const SEARCH_TIMEOUT_MS = 10_000;

/** What users see of the applicant tracking system. */
export class ConnectedAts {
  readonly #configured: ConfiguredAts | null;
  readonly #canWrite = new LRUCache<'canWrite', { canWrite: boolean }>({ max: 1, ttl: CHECK_AGE_MS });

  /** Null if none is configured. */
  constructor(configured: ConfiguredAts | null) {
    this.#configured = configured;
  }

  async find(): Promise<ResponseOf<typeof getAts>> {
    if (!this.#configured) return { name: null, state: 'not_configured', account: null };
    const { ats, connection, account } = this.#configured;
    const { state } = await connection.read();
    return { name: ats.name, state, account: state === 'not_configured' ? null : account };
  }

  /** For the checklist. `canWrite` is null while the ATS does not respond. */
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
    const timeout = AbortSignal.timeout(SEARCH_TIMEOUT_MS);
    try {
      return await ats.searchJobs(search, timeout);
    } catch (error) {
      if (!timeout.aborted) throw error;
      throw new UpstreamError(ats.name, 'unavailable', `${ats.name} didn't answer in time. Try again.`);
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
