import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { batch, coalesce } from '#server/async/single-flight.ts';
import type { Database } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { LiveBus } from '#server/live/bus.ts';
import type { Log } from '#server/ports/log.ts';
import type { WebhookSender } from '#server/ports/webhook-sender.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import type { DeliveryDepth, DeliveryResult } from './delivery-claims.repo.ts';
import * as claimsRepo from './delivery-claims.repo.ts';
import { findWebhook } from './outgoing-webhooks.repo.ts';
import type { DeliveryRetry } from './retry-plan.ts';
import { openReceiver, type Receiver, sendDelivery } from './send-delivery.ts';
import type { DeliveryRow } from './webhook-deliveries.repo.ts';
import { recordHealth } from './webhook-health.ts';

/** Concurrent calls per receiver. The number of webhooks therefore bounds all calls. */
const CONCURRENCY = 4;
const MAX_CLAIMED = 64;
/** A batch takes about this long. Changes of the webhook take effect with the next batch. */
const WORK_MS = 1_000;
/** A scheduled attempt starts at most this late. */
const POLL_INTERVAL_MS = 1_000;
const RENEWAL_INTERVAL_MS = 10_000;
/** Results of all receivers within this time are stored in one transaction. */
const GATHER_MS = 5;
/** Delay after a database failure. */
const ERROR_DELAY_MS = 1_000;
/** Calls that are still running after this time on shutdown are repeated by another process. */
const STOP_GRACE_MS = 2_000;

interface DeliveryWorkerDeps {
  db: Database;
  bus: LiveBus;
  events: Events;
  log: Log;
  sealer: Sealer;
  sender: Pick<WebhookSender, 'send'>;
  origin: string | null;
  retry: DeliveryRetry;
}

/** Sends deliveries in a lane for each receiver, so that no receiver delays another. */
export class DeliveryWorker {
  readonly #deps: DeliveryWorkerDeps;
  /** Identifies the claims of this process. */
  readonly #claim = randomUUID();
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  /** Key: webhook id. */
  readonly #lanes = new Map<number, { isDueAgain: boolean; ended: Promise<void> }>();
  readonly #claimed = new Set<number>();
  readonly #settle: (result: DeliveryResult) => Promise<void>;
  readonly #look = coalesce(() => this.#startLanes());
  #timers: NodeJS.Timeout[] = [];
  /** Counts attempts of this process with stored results. A `pending` one is retried. */
  readonly attempts: Record<DeliveryResult['state'], number> = { pending: 0, delivered: 0, failed: 0 };

  constructor(deps: DeliveryWorkerDeps) {
    this.#deps = deps;
    this.#settle = batch((results) => this.#storeResults(results), { gatherMs: GATHER_MS });
  }

  /**
   * `isAlone`: no other process uses the database, so all claims are left over from a lost process.
   */
  async start({ isAlone }: { isAlone: boolean }): Promise<void> {
    const { db, bus, log } = this.#deps;
    if (isAlone) await claimsRepo.releaseAllClaims(db);
    const look = () =>
      void this.#look().catch((error) => log.warn({ err: error }, 'reading deliveries failed; it will be retried'));
    bus.on('webhook-deliveries', look);
    bus.onGap(look);
    this.#timers = [
      setInterval(look, POLL_INTERVAL_MS).unref(),
      setInterval(() => this.#renew(), RENEWAL_INTERVAL_MS).unref(),
    ];
    look();
  }

  depth(): Promise<DeliveryDepth> {
    return claimsRepo.readDepth(this.#deps.db);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#timers.forEach(clearInterval);
    const ended = Promise.all([...this.#lanes.values()].map((lane) => lane.ended));
    await Promise.race([ended, sleep(STOP_GRACE_MS, null, { ref: false })]);
    this.#aborting.abort();
    await ended;
  }

  async #startLanes(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    for (const id of await claimsRepo.listDueWebhooks(this.#deps.db)) {
      const lane = this.#lanes.get(id);
      if (lane) lane.isDueAgain = true;
      else this.#lanes.set(id, { isDueAgain: false, ended: this.#serve(id) });
    }
  }

  /** Sends all due deliveries to one receiver. Never rejects. */
  async #serve(id: number): Promise<void> {
    try {
      do {
        const lane = this.#lanes.get(id);
        if (lane) lane.isDueAgain = false;
        await this.#sendDue(id);
      } while (this.#lanes.get(id)?.isDueAgain && !this.#stopping.signal.aborted);
    } catch (error) {
      if (this.#aborting.signal.aborted) return;
      this.#deps.log.warn({ err: error, webhookId: id }, 'the deliveries of a webhook failed; they will be retried');
      await sleep(ERROR_DELAY_MS, null, { ref: false });
    } finally {
      this.#lanes.delete(id);
    }
  }

  async #sendDue(id: number): Promise<void> {
    const { db, sealer, retry } = this.#deps;
    for (let size = CONCURRENCY; !this.#stopping.signal.aborted; ) {
      const webhook = await findWebhook(db, id);
      if (!webhook) return;
      const limit = webhook.failures >= retry.brakeAfter ? 1 : size;
      const rows = await claimsRepo.claimDeliveries(db, { webhookId: id, claim: this.#claim, limit });
      if (rows.length === 0) return;
      for (const row of rows) this.#claimed.add(row.id);
      const startedAt = performance.now();
      await this.#sendAll(openReceiver(sealer, webhook), rows);
      const msPerDelivery = (performance.now() - startedAt) / rows.length;
      size = Math.min(MAX_CLAIMED, Math.max(CONCURRENCY, Math.floor(WORK_MS / msPerDelivery)));
    }
  }

  async #sendAll(receiver: Receiver, rows: readonly DeliveryRow[]): Promise<void> {
    const waiting = [...rows];
    const sendNext = async () => {
      for (let row = waiting.shift(); row && !this.#stopping.signal.aborted; row = waiting.shift()) {
        const result = await sendDelivery(this.#deps, { receiver, row }, this.#aborting.signal);
        await this.#settle(result);
        this.#claimed.delete(row.id);
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, sendNext));
    await this.#release(rows.map(({ id }) => id).filter((id) => this.#claimed.has(id)));
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
  }

  /** Allows this or another process to send them again immediately. */
  async #release(ids: readonly number[]): Promise<void> {
    for (const id of ids) this.#claimed.delete(id);
    if (ids.length > 0) await claimsRepo.releaseClaims(this.#deps.db, this.#claim, ids).catch(() => {});
  }

  async #storeResults(results: readonly DeliveryResult[]): Promise<void> {
    const { db, events, retry } = this.#deps;
    await db.transaction().execute(async (tx) => {
      await recordHealth(tx, { events, retry }, results);
      await claimsRepo.updateResults(tx, this.#claim, results);
    });
    for (const { state } of results) this.attempts[state] += 1;
  }

  #renew(): void {
    const { db, log } = this.#deps;
    if (this.#claimed.size > 0)
      claimsRepo
        .renewClaims(db, this.#claim, [...this.#claimed])
        .catch((error) =>
          log.warn({ err: error }, 'renewing claims of deliveries failed; another process may repeat them'),
        );
  }
}
