import type { Claims } from '#server/db/claims.ts';
import type { Executor } from '#server/db/database.ts';
import { announce } from '#server/live/announce.ts';
import type { LiveBus } from '#server/live/bus.ts';

export interface UploadClaimsDeps {
  db: Executor;
  claims: Claims;
  bus: Pick<LiveBus, 'on'>;
}

/** A claim that is not acquired by then is held by another request. */
const TAKEOVER_MS = 50;

/** Gives each upload one writer among all processes. */
export class UploadClaims {
  readonly #deps: UploadClaimsDeps;
  /** Stops the requests of this process that hold claims. */
  readonly #holders = new Map<string, () => void>();

  constructor(deps: UploadClaimsDeps) {
    this.#deps = deps;
    deps.bus.on('upload-takeover', (id) => this.#holders.get(id)?.());
  }

  /** Runs `work` while no other process or request writes or finishes the upload. */
  run<T>(id: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#deps.claims.runExclusively(`upload ${id}`, signal, work);
  }

  /**
   * Like `run`, for a request. The request that holds the claim, in any process, is stopped,
   * because its client has reconnected; `stop` is called when that happens to this request.
   */
  async runTakingOver<T>(
    id: string,
    { signal, stop }: { signal: AbortSignal; stop: () => void },
    work: () => Promise<T>,
  ): Promise<T> {
    const askHolder = () => void announce(this.#deps.db, 'upload-takeover', id).catch(() => {});
    const asking = setTimeout(askHolder, TAKEOVER_MS);
    const claimed = this.run(id, signal, async () => {
      clearTimeout(asking);
      this.#holders.set(id, stop);
      return work().finally(() => this.#holders.delete(id));
    });
    return claimed.finally(() => clearTimeout(asking));
  }
}
