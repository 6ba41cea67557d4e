import { randomUUID } from 'node:crypto';
import type {
  NewOutgoingWebhook,
  OutgoingWebhook,
  OutgoingWebhookForm,
  WebhookDelivery,
  WebhookFormat,
} from '#contracts/outgoing-webhooks.ts';
import { TEST_EVENT } from '#contracts/public-events.ts';
import { MAX_OUTGOING_WEBHOOKS } from '#contracts/rules/limits.ts';
import { AppError } from '#server/app-error.ts';
import { lockKeyRotation } from '#server/db/advisory-locks.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { WebhookSender } from '#server/ports/webhook-sender.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { announceDeliveries } from './announce-deliveries.ts';
import type { OutgoingWebhookRow, WebhookColumns } from './outgoing-webhooks.repo.ts';
import * as repo from './outgoing-webhooks.repo.ts';
import { viewDelivery, viewWebhook } from './outgoing-webhooks.view.ts';
import { publicActor } from './report-event.ts';
import {
  type DeliveryRow,
  deleteDeliveriesBefore,
  insertTest,
  listDeliveries,
  updateToRetry,
} from './webhook-deliveries.repo.ts';
import { createSecret, SECRET_CONTEXT, URL_CONTEXT } from './webhook-secrets.ts';

const DAY_MS = 24 * 3_600_000;
/** After a replacement, the former secret also signs for this long. */
const FORMER_SECRET_MS = DAY_MS;
const RETENTION_MS = 14 * DAY_MS;
const MAX_LISTED = 100;

interface OutgoingWebhooksDeps {
  db: Database;
  events: Events;
  sealer: Sealer;
  sender: Pick<WebhookSender, 'findProblem'>;
  /** The first URL of PUBLIC_URL. Bodies contain no link without it. */
  origin: string | null;
}

/** URLs to which the product reports events. The webhooks of sources go the other way. */
export class OutgoingWebhooks {
  readonly #deps: OutgoingWebhooksDeps;

  constructor(deps: OutgoingWebhooksDeps) {
    this.#deps = deps;
  }

  async list(): Promise<OutgoingWebhook[]> {
    const { db, sealer } = this.#deps;
    return (await repo.listWebhooks(db)).map((row) => viewWebhook(row, sealer));
  }

  /** @throws AppError `invalid_input`, or `conflict` */
  async create(input: NewOutgoingWebhook): Promise<OutgoingWebhook & { secret: string }> {
    const { sealer } = this.#deps;
    await this.#expectAllowed(input.url);
    const secret = createSecret();
    return await this.#change('created', async (tx) => {
      if ((await repo.lockAllWebhooks(tx)).length >= MAX_OUTGOING_WEBHOOKS)
        throw new AppError('conflict', `There are ${MAX_OUTGOING_WEBHOOKS} webhooks. Delete one to add another.`);
      const sealed = sealer.seal(secret, SECRET_CONTEXT);
      const row = await repo.insertWebhook(tx, { ...this.#columnsOf(input), secret_sealed: sealed });
      return { ...row, result: { ...viewWebhook(row, sealer), secret } };
    });
  }

  /** @throws AppError `invalid_input`, or `not_found` */
  async update(id: number, { isActive, ...input }: OutgoingWebhookForm): Promise<OutgoingWebhook> {
    await this.#expectAllowed(input.url);
    return await this.#change('updated', async (tx) => {
      expectFound(await repo.lockWebhook(tx, id));
      // Turning a webhook on clears the reason for its pause.
      const running = isActive && { ...repo.WORKING, paused_at: null, pause_reason: null };
      await repo.updateWebhook(tx, id, { ...this.#columnsOf(input), is_active: isActive, ...running });
      const row = expectFound((await repo.listWebhooks(tx)).find((webhook) => webhook.id === id));
      // Deliveries may have been waiting for this change.
      await announceDeliveries(tx);
      return { ...row, result: viewWebhook(row, this.#deps.sealer) };
    });
  }

  /** @throws AppError `not_found` */
  async delete(id: number): Promise<void> {
    await this.#change('deleted', async (tx) => {
      const { host } = expectFound(await repo.deleteWebhook(tx, id));
      return { id, host, result: undefined };
    });
  }

  /** @throws AppError `not_found` */
  async replaceSecret(id: number): Promise<string> {
    const secret = createSecret();
    return await this.#change('secret-replaced', async (tx) => {
      const { host, secret_sealed } = expectFound(await repo.lockWebhook(tx, id));
      await repo.updateWebhook(tx, id, {
        secret_sealed: this.#deps.sealer.seal(secret, SECRET_CONTEXT),
        former_secret_sealed: secret_sealed,
        former_secret_until: new Date(Date.now() + FORMER_SECRET_MS),
      });
      return { id, host, result: secret };
    });
  }

  /** Enqueues a test delivery. @throws AppError `not_found` */
  sendTest(id: number): Promise<WebhookDelivery> {
    const test = { webhookId: id, eventId: randomUUID(), type: TEST_EVENT, actor: publicActor() };
    return this.#force(id, (tx) => insertTest(tx, test));
  }

  /** Enqueues the delivery again. @throws AppError `not_found` */
  retry(id: number, deliveryId: number): Promise<WebhookDelivery> {
    return this.#force(id, (tx) => updateToRetry(tx, { webhookId: id, deliveryId }));
  }

  /** Lists the newest first. @throws AppError `not_found` */
  async listDeliveries(id: number): Promise<WebhookDelivery[]> {
    const webhook = expectFound(await repo.findWebhook(this.#deps.db, id));
    const rows = await listDeliveries(this.#deps.db, id, MAX_LISTED);
    return rows.map((row) => this.#view(row, webhook));
  }

  /** Call it every hour. */
  deleteExpired(): Promise<void> {
    return deleteDeliveriesBefore(this.#deps.db, new Date(Date.now() - RETENTION_MS));
  }

  #force(id: number, change: (tx: Executor) => Promise<DeliveryRow | undefined>): Promise<WebhookDelivery> {
    return this.#deps.db.transaction().execute(async (tx) => {
      const webhook = expectFound(await repo.lockWebhook(tx, id));
      const row = await change(tx);
      if (!row) throw new AppError('not_found', 'This delivery no longer exists.');
      await announceDeliveries(tx);
      return this.#view(row, webhook);
    });
  }

  /** Records the change in its transaction. */
  async #change<Result>(
    change: 'created' | 'updated' | 'deleted' | 'secret-replaced',
    apply: (tx: Executor) => Promise<{ id: number; host: string; result: Result }>,
  ): Promise<Result> {
    const { db, events } = this.#deps;
    return await db.transaction().execute(async (tx) => {
      await lockKeyRotation(tx);
      const { id, host, result } = await apply(tx);
      await events.record(tx, 'outgoing-webhook.changed', { webhookId: id, host, change, reason: null });
      return result;
    });
  }

  #view(row: DeliveryRow, { format }: OutgoingWebhookRow): WebhookDelivery {
    return viewDelivery(row, format as WebhookFormat, this.#deps.origin);
  }

  #columnsOf({ url, events, format, includePersonalData }: NewOutgoingWebhook): WebhookColumns {
    const { host } = new URL(url);
    const url_sealed = this.#deps.sealer.seal(url, URL_CONTEXT);
    return { url_sealed, host, events, format, includes_personal_data: includePersonalData };
  }

  async #expectAllowed(url: string): Promise<void> {
    const problem = await this.#deps.sender.findProblem(url);
    if (problem !== null) throw new AppError('invalid_input', `url ${problem}.`, { field: 'url' });
  }
}

function expectFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new AppError('not_found', 'This webhook no longer exists.');
  return found;
}
