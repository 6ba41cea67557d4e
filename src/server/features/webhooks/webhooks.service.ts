import { LRUCache } from 'lru-cache';
import type { Funnel } from '#contracts/funnels.ts';
import { parseJson } from '#contracts/rules/parse-json.ts';
import { type FunnelSource, SOURCES } from '#contracts/sources.ts';
import type { FunnelWebhook } from '#contracts/webhooks.ts';
import { AppError } from '#server/app-error.ts';
import { batch } from '#server/async/single-flight.ts';
import { AttemptLimit } from '#server/attempt-limit.ts';
import { lockKeyRotation } from '#server/db/advisory-locks.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { Automations } from '#server/features/automation/automation.service.ts';
import type { Funnels } from '#server/features/funnels/funnels.service.ts';
import type { Sync } from '#server/features/sync/sync.service.ts';
import type { IncomingEvent, SourceEvent, SourceEvents } from '#server/ports/source-events.ts';
import { runAs } from '#server/request-context.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { type RefusalCause, RefusedEvents } from './refused-events.ts';
import type { WebhookRow } from './webhook.repo.ts';
import * as repo from './webhook.repo.ts';
import { contextOf, createSecret, hashOf } from './webhook-secrets.ts';

export interface WebhooksDeps {
  db: Database;
  sealer: Sealer;
  funnels: Pick<Funnels, 'find' | 'lockShared' | 'findAutomationActor'>;
  sync: Pick<Sync, 'announceInterviews'>;
  automations: Pick<Automations, 'lock' | 'startAnnounced'>;
  /** How the service of each source sends events. */
  sources: Readonly<Record<FunnelSource, { events: SourceEvents | null }>>;
  events: Events;
}

/**
 * The limit of a funnel. A burst has hundreds of events; more than this means that the service
 * repeats itself.
 */
const MAX_EVENTS_PER_DAY = 20_000;
/** Services repeat an event for hours at most. */
const EVENT_RETENTION_MS = 7 * 24 * 60 * 60 * 1_000;
/** Unknown webhooks that a client may request per minute. */
const MAX_UNKNOWN_PER_MINUTE = 30;
const MAX_KNOWN_WEBHOOKS = 10_000;
const TOO_MANY_UNKNOWN = 'Too many requests to unknown webhook addresses. Try again in a minute.';
const NOT_ACCEPTED = 'This webhook address or signature is wrong.';

/** The variable parts of `/hooks/:source/:secret`. */
interface WebhookPath {
  source: string;
  secret: string;
}

interface ReceivedEvent {
  interviewId: string;
  hash: Buffer;
}

/** URLs at which services announce changed interviews. */
export class Webhooks {
  readonly #deps: WebhooksDeps;
  readonly #refused: RefusedEvents;
  readonly #unknown = new AttemptLimit(MAX_UNKNOWN_PER_MINUTE, TOO_MANY_UNKNOWN);
  readonly #known = new LRUCache<string, true>({ max: MAX_KNOWN_WEBHOOKS });
  readonly #stores = new Map<number, (event: ReceivedEvent) => Promise<void>>();

  constructor(deps: WebhooksDeps) {
    this.#deps = deps;
    this.#refused = new RefusedEvents(deps);
  }

  /** Creates the webhook if the funnel has none. @throws AppError not_found, conflict */
  open(funnelId: number): Promise<FunnelWebhook> {
    return this.#onFunnel(funnelId, async (tx, funnel) => {
      const webhook = await repo.findWebhook(tx, funnelId);
      if (!webhook) return this.#create(tx, funnel);
      const view = this.#view(funnel, webhook);
      await this.#deps.events.record(tx, 'webhook.revealed', { funnelId, name: funnel.name });
      return view;
    });
  }

  /** Replaces the webhook. The former one stops working. @throws AppError not_found, conflict */
  renew(funnelId: number): Promise<FunnelWebhook> {
    return this.#onFunnel(funnelId, (tx, funnel) => this.#create(tx, funnel));
  }

  /** @throws AppError not_found, conflict */
  setSigningSecret(funnelId: number, signingSecret: string): Promise<FunnelWebhook> {
    return this.#onFunnel(funnelId, async (tx, funnel) => {
      if (!(await repo.findWebhook(tx, funnelId))) await this.#create(tx, funnel);
      const sealed = this.#deps.sealer.seal(signingSecret, contextOf(funnelId, 'signing'));
      const webhook = await repo.updateSealed(tx, funnelId, { signing_sealed: sealed });
      await this.#deps.events.record(tx, 'webhook.signing-secret-stored', { funnelId, name: funnel.name });
      return this.#view(funnel, webhook);
    });
  }

  /**
   * A service may still send events to the webhook of a deleted funnel. Webhooks that have worked
   * in this process are therefore exempt from the limit.
   * @throws AppError unauthenticated for an unknown webhook, too_many_requests after 30 of them
   */
  async authorize({ source, secret }: WebhookPath, client: string): Promise<{ webhook: WebhookRow; funnel: Funnel }> {
    const { db, funnels } = this.#deps;
    const hash = hashOf(secret);
    if (!this.#known.has(repo.toHex(hash))) this.#unknown.check(client);
    const webhook = await repo.findWebhookByHash(db, hash);
    const funnel = webhook && (await funnels.find(db, webhook.funnel_id));
    if (!webhook || funnel?.source !== source) {
      this.#known.delete(repo.toHex(hash));
      this.#unknown.count(client);
      throw await this.#refuse('unknown-address');
    }
    this.#known.set(repo.toHex(hash), true);
    return { webhook, funnel };
  }

  /**
   * Stores the event and announces its interview, so that a refresh reads it again. An event that
   * was stored before changes nothing.
   * @throws AppError unauthenticated, invalid_input, too_many_requests
   */
  async acceptEvent({ webhook, funnel }: { webhook: WebhookRow; funnel: Funnel }, event: IncomingEvent): Promise<void> {
    const service = this.#deps.sources[funnel.source].events;
    if (service?.isSignedWith) await this.#checkSignature(webhook, event, service.isSignedWith);
    const { interviewId, eventId, positionId } = expectEvent(service?.read(parseJson(event.body.toString('utf8'))));
    // A service may send the events of all positions to every webhook.
    if (positionId !== null && positionId !== funnel.funnelId) return;
    await this.#storeOf(funnel.id)({ interviewId, hash: hashOf(eventId ?? event.body) });
  }

  async deleteExpired(): Promise<void> {
    await repo.deleteEventsBefore(this.#deps.db, new Date(Date.now() - EVENT_RETENTION_MS));
  }

  async #checkSignature(
    { funnel_id: id, signing_sealed: sealed }: WebhookRow,
    event: IncomingEvent,
    isSignedWith: NonNullable<SourceEvents['isSignedWith']>,
  ): Promise<void> {
    const secret = sealed && this.#deps.sealer.open(sealed, contextOf(id, 'signing'));
    if (secret === null) throw await this.#refuse('no-signing-secret');
    if (!isSignedWith(event, secret)) throw await this.#refuse('wrong-signature');
  }

  async #refuse(cause: RefusalCause): Promise<AppError> {
    await this.#refused.add(cause);
    return new AppError('unauthenticated', NOT_ACCEPTED);
  }

  /** Returns a function that stores events in batches: one transaction at a time per funnel. */
  #storeOf(funnelId: number): (event: ReceivedEvent) => Promise<void> {
    const known = this.#stores.get(funnelId);
    if (known) return known;
    const store = batch((events: readonly ReceivedEvent[]) => this.#store(funnelId, events));
    this.#stores.set(funnelId, store);
    return store;
  }

  async #store(funnelId: number, events: readonly ReceivedEvent[]): Promise<void> {
    const { db, funnels, sync, automations } = this.#deps;
    const actor = await funnels.findAutomationActor(db, funnelId);
    await runAs(actor, () =>
      db.transaction().execute(async (tx) => {
        const funnel = await funnels.lockShared(tx, funnelId);
        if (!funnel) return;
        // Waits for a refresh that is ending, which then starts the next one if interviews wait.
        await automations.lock(tx, funnelId);
        await this.#count(tx, funnelId, events.length);
        const added = await repo.insertEvents(
          tx,
          funnelId,
          events.map(({ hash }) => hash),
        );
        const ids = events.filter(({ hash }) => added.has(repo.toHex(hash))).map(({ interviewId }) => interviewId);
        if (ids.length === 0) return;
        await sync.announceInterviews(tx, funnelId, ids);
        await automations.startAnnounced(tx, funnel);
      }),
    );
  }

  async #count(tx: Executor, funnelId: number, received: number): Promise<void> {
    const count = await repo.countEvents(tx, funnelId, { received, today: new Date().toISOString().slice(0, 10) });
    if (count <= MAX_EVENTS_PER_DAY) return;
    throw new AppError('too_many_requests', 'Daily event limit reached. The next refresh picks up the rest.', {
      retryAfterSeconds: 60 * 60,
    });
  }

  async #create(tx: Executor, funnel: Funnel): Promise<FunnelWebhook> {
    const secret = createSecret();
    const secret_sealed = this.#deps.sealer.seal(secret, contextOf(funnel.id, 'address'));
    const webhook = await repo.upsertSecret(tx, funnel.id, { secret_hash: hashOf(secret), secret_sealed });
    await this.#deps.automations.lock(tx, funnel.id);
    await this.#deps.events.record(tx, 'webhook.created', { funnelId: funnel.id, name: funnel.name });
    return this.#view(funnel, webhook);
  }

  #view({ id, source }: Funnel, { secret_sealed, signing_sealed }: WebhookRow): FunnelWebhook {
    const secret = this.#deps.sealer.open(secret_sealed, contextOf(id, 'address'));
    if (secret === null)
      throw new AppError('conflict', "This webhook address can't be decrypted. Replace it to get a new one.");
    return {
      path: `/hooks/${source}/${secret}`,
      isSigned: Boolean(this.#deps.sources[source].events?.isSignedWith),
      hasSigningSecret: signing_sealed !== null,
    };
  }

  #onFunnel<T>(funnelId: number, work: (tx: Executor, funnel: Funnel) => Promise<T>): Promise<T> {
    const { db, funnels } = this.#deps;
    return db.transaction().execute(async (tx) => {
      const funnel = await funnels.lockShared(tx, funnelId);
      if (!funnel) throw new AppError('not_found', 'This funnel no longer exists.');
      if (!SOURCES[funnel.source].hasEvents) throw new AppError('conflict', 'Funnels of this source have no webhook.');
      await lockKeyRotation(tx);
      return work(tx, funnel);
    });
  }
}

/** @throws AppError invalid_input */
function expectEvent(event: SourceEvent | null | undefined): SourceEvent {
  if (event) return event;
  throw new AppError('invalid_input', 'body must be an event that names an interview', { field: 'body' });
}
