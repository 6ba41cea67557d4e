import { isDeepStrictEqual } from 'node:util';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { EventData } from '#contracts/events.ts';
import type {
  checkFunnel,
  deleteFunnel,
  Funnel,
  FunnelForm,
  getFunnelContents,
  listPositions,
} from '#contracts/funnels.ts';
import type { Actor } from '#contracts/logs.ts';
import { DEFAULT_SOURCE, type FunnelSource } from '#contracts/sources.ts';
import { AppError } from '#server/app-error.ts';
import { lockErasure, lockKeyRotation } from '#server/db/advisory-locks.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { DeletedInterviews } from '#server/features/erasure/deleted-interviews.service.ts';
import type { VideoRemoval } from '#server/features/erasure/video-removal.service.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import type { FileRemoval } from '#server/features/media/file-removal.service.ts';
import type { InterviewSource, SourceAccess } from '#server/ports/interview-source.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { currentActor, isFunnelVisible, SYSTEM, visibleFunnels } from '#server/request-context.ts';
import type { ApiKeyVault } from './api-key-vault.ts';
import type { FunnelRow, NewFunnel } from './funnels.repo.ts';
import * as repo from './funnels.repo.ts';
import { viewFunnel } from './funnels.view.ts';

/** The advice to update a stored key. Users who test a new key are already in the form. */
const IN_FUNNELS = "this funnel's API key. Update it in Funnels.";
const HERE = 'this API key. Check it and try again.';

export interface FunnelsDeps {
  db: Database;
  vault: ApiKeyVault;
  removal: FileRemoval;
  videoRemoval: VideoRemoval;
  deletedInterviews: Pick<DeletedInterviews, 'record'>;
  events: Events;
  interviews: Pick<Interviews, 'countOfFunnel' | 'deleteOfFunnel'>;
  source: Pick<InterviewSource, 'check' | 'positions'>;
  /** The sources that a funnel may have in addition to the default one. */
  sources: readonly FunnelSource[];
}

const OFF = { refresh_minutes: null, new_interviews: 'nothing', daily_limit: null };

type FunnelChange = Pick<EventData<'funnel.changed'>, 'deactivatedId' | 'hasNewList' | 'hasNewAccess'>;
const SAME: FunnelChange = { deactivatedId: null, hasNewList: false, hasNewAccess: false };

/** Short, because a user waits for the response. */
const CHECK_TIMEOUT_MS = 20_000;

const notFound = () => new AppError('not_found', 'This funnel no longer exists.');

/** Funnels are the sources of interviews. At most one is active. */
export class Funnels {
  readonly #deps: FunnelsDeps;

  constructor(deps: FunnelsDeps) {
    this.#deps = deps;
  }

  /** Those that the caller sees, newest first. */
  async list(): Promise<Funnel[]> {
    return (await repo.listFunnels(this.#deps.db, visibleFunnels())).map((row) => this.#view(row));
  }

  /** @throws AppError `not_found` when the caller does not see the funnel */
  expectVisible(id: number): void {
    if (!isFunnelVisible(id)) throw notFound();
  }

  /** Describes the visible funnels. `sources` are their sources. */
  findSetup(): Promise<{ exists: boolean; hasActive: boolean; sources: FunnelSource[] }> {
    return repo.findFunnelSetup(this.#deps.db, visibleFunnels());
  }

  /** Null also when the caller does not see the active funnel. */
  async findActive(): Promise<Funnel | null> {
    const row = await repo.findActiveFunnel(this.#deps.db);
    return row && isFunnelVisible(row.id) ? this.#view(row) : null;
  }

  /**
   * The active funnel cannot be deleted until the transaction ends. Null also when the caller does
   * not see it.
   */
  async lockActive(tx: Executor): Promise<Funnel | null> {
    const locked = await repo.lockActiveFunnel(tx);
    return locked && isFunnelVisible(locked.id) ? this.find(tx, locked.id) : null;
  }

  async find(db: Executor, id: number): Promise<Funnel | null> {
    const row = await repo.findFunnel(db, id);
    return row ? this.#view(row) : null;
  }

  async create(form: FunnelForm): Promise<Funnel> {
    return this.#change('created', async (tx) => {
      this.#expectAvailable(form.source);
      await lockKeyRotation(tx);
      const { id } = await repo.insertFunnel(tx, { ...this.#columnsOf(form), ...automationColumns(form, null) });
      return { id, ...SAME };
    });
  }

  /** Stops running refreshes that would continue with the former list or key. */
  async update(id: number, form: FunnelForm): Promise<Funnel> {
    const before = await repo.findFunnel(this.#deps.db, id);
    if (form.source !== before?.source) this.#expectAvailable(form.source);
    if (!before) throw notFound();
    const { db, events } = this.#deps;
    if (this.#compare(before, form).hasNewAccess) await events.record(db, 'funnel.change-requested', { funnelId: id });
    return this.#change('updated', async (tx) => {
      const stored = await repo.findFunnel(tx, id);
      if (!stored) return undefined;
      await lockKeyRotation(tx);
      const columns = { ...this.#columnsOf(form), ...automationColumns(form, stored) };
      const updated = await repo.updateFunnel(tx, id, columns);
      return updated && { id, ...this.#compare(stored, form) };
    });
  }

  async activate(id: number): Promise<Funnel> {
    return this.#change('activated', async (tx) => {
      const activated = await repo.updateActiveFunnel(tx, id);
      return activated && { ...SAME, id, ...activated };
    });
  }

  /**
   * Counts the interviews and recordings that a deletion would delete.
   * @throws AppError not_found
   */
  async countContents(id: number): Promise<ResponseOf<typeof getFunnelContents>> {
    const { db, interviews } = this.#deps;
    if (!(await repo.findFunnel(db, id))) throw notFound();
    return interviews.countOfFunnel(id);
  }

  /**
   * Stops a running refresh, then deletes the funnel and its interviews. Their files and published
   * videos are deleted after the commit. Log entries stay, and a record of each interview by which
   * an erasure finds them.
   */
  async delete(id: number): Promise<ResponseOf<typeof deleteFunnel>> {
    const { db, events } = this.#deps;
    if (!(await repo.findFunnel(db, id))) throw notFound();
    await events.record(db, 'funnel.change-requested', { funnelId: id });
    const { publishedVideos } = await db.transaction().execute(async (tx) => {
      await lockErasure(tx);
      const name = await repo.lockFunnel(tx, id);
      if (name === undefined) throw notFound();
      const counts = await this.#deleteInterviews(tx, id);
      await events.record(tx, 'funnel.deleted', { funnelId: id, name, ...counts });
      await repo.deleteFunnel(tx, id);
      return counts;
    });
    return { message: 'Funnel deleted', publishedVideos };
  }

  async revealApiKey(id: number): Promise<{ apiKey: string }> {
    const { db, events, vault } = this.#deps;
    const row = await repo.findFunnel(db, id);
    if (!row) throw notFound();
    const apiKey = vault.open(row.api_key_encrypted, row.external_id);
    await events.record(db, 'api-key.revealed', { funnelId: id, name: row.name });
    return { apiKey };
  }

  /** The key and the external id for calls of the interview service. */
  async findAccess(id: number): Promise<SourceAccess | null> {
    const row = await repo.findFunnel(this.#deps.db, id);
    if (!row) return null;
    const apiKey = this.#deps.vault.open(row.api_key_encrypted, row.external_id);
    return { source: row.source, funnelId: row.external_id, apiKey };
  }

  /**
   * Prevents the deletion of the funnel until the transaction ends. Null when it does not exist.
   */
  async lockShared(tx: Executor, id: number): Promise<Funnel | null> {
    return (await repo.lockFunnelsShared(tx, [id])).length > 0 ? this.find(tx, id) : null;
  }

  /** Locks the funnels against deletion until the transaction ends. Returns the ids that exist. */
  lockExisting(tx: Executor, ids: readonly number[]): Promise<number[]> {
    return repo.lockFunnelsShared(tx, ids);
  }

  /** Returns the actor of the funnel's automation: the account that set it up. */
  async findAutomationActor(db: Executor, id: number): Promise<Actor> {
    const row = await repo.findFunnel(db, id);
    const [accountId, name] = [row?.automated_by_id ?? null, row?.automated_by ?? null];
    return { ...SYSTEM, kind: 'automation', accountId, name };
  }

  /** @throws AppError conflict with the refusal of the service */
  async check(access: SourceAccess): Promise<ResponseOf<typeof checkFunnel>> {
    return this.#ask(access.source, (signal) => this.#deps.source.check(access, signal));
  }

  /** @throws AppError conflict with the refusal of the service */
  async listPositions({ source, apiKey }: Omit<SourceAccess, 'funnelId'>): Promise<ResponseOf<typeof listPositions>> {
    const access = { source, apiKey, funnelId: '' };
    return { positions: await this.#ask(source, (signal) => this.#deps.source.positions(access, signal)) };
  }

  async #ask<T>(source: FunnelSource, question: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#expectAvailable(source);
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    return question(signal).catch((error: unknown) => {
      if (error instanceof UpstreamError)
        throw new AppError('conflict', error.message.replace(IN_FUNNELS, HERE), { cause: error });
      if (signal.aborted) throw new AppError('conflict', "The service didn't respond in time. Try again later.");
      throw error;
    });
  }

  #compare(row: FunnelRow, { source = row.source, funnelId, apiKey }: FunnelForm): FunnelChange {
    const hasNewList = source !== row.source || funnelId !== row.external_id;
    const hasNewKey = apiKey !== this.#deps.vault.openOrEmpty(row.api_key_encrypted, row.external_id);
    return { ...SAME, hasNewList, hasNewAccess: hasNewList || hasNewKey };
  }

  async #deleteInterviews(tx: Executor, funnelId: number) {
    const { interviews, removal, videoRemoval, deletedInterviews } = this.#deps;
    const counts = { interviews: 0, publishedVideos: 0 };
    for await (const batch of interviews.deleteOfFunnel(tx, funnelId)) {
      const videos = batch.interviews.flatMap(({ video }) => video ?? []);
      await removal.enqueue(tx, batch.files);
      await videoRemoval.enqueue(tx, videos, { isErased: false });
      await videoRemoval.enqueueUploads(tx, batch.uploads, { isErased: false });
      await deletedInterviews.record(tx, batch.interviews);
      counts.interviews += batch.interviews.length;
      counts.publishedVideos += videos.length;
    }
    return counts;
  }

  async #change(
    change: EventData<'funnel.changed'>['change'],
    makeChange: (tx: Executor) => Promise<(FunnelChange & { id: number }) | undefined>,
  ): Promise<Funnel> {
    const { db, events } = this.#deps;
    return db.transaction().execute(async (tx) => {
      const changed = await makeChange(tx);
      const row = changed && (await repo.findFunnel(tx, changed.id));
      if (!row) throw notFound();
      const { id: funnelId, ...changes } = changed;
      await events.record(tx, 'funnel.changed', { funnelId, name: row.name, change, ...changes });
      return this.#view(row);
    });
  }

  /** Funnels of the default source can be prepared before it is configured. */
  #expectAvailable(source: FunnelSource = DEFAULT_SOURCE): void {
    if (source === DEFAULT_SOURCE || this.#deps.sources.includes(source)) return;
    const message = `source must be one that this server has set up, and ${source} is not`;
    throw new AppError('invalid_input', message, { field: 'source' });
  }

  #view(row: FunnelRow): Funnel {
    return viewFunnel(row, this.#deps.vault);
  }

  #columnsOf(form: FunnelForm): NewFunnel {
    return {
      name: form.name,
      client_name: form.clientName,
      description: form.description,
      api_key_encrypted: this.#deps.vault.seal(form.apiKey, form.funnelId),
      external_id: form.funnelId,
      direct_link: form.directLink,
      skills: form.skills,
      professional_expectations: form.professionalExpectations,
      skill_expectations: form.skillExpectations,
      education_expectations: form.educationExpectations,
      culture_expectations: form.cultureExpectations,
      ...(form.processAutomatically !== undefined && { process_automatically: form.processAutomatically }),
      ...(form.source !== undefined && { source: form.source }),
    };
  }
}

/**
 * Returns the columns that a form changes, with the account that changes them. Fields that are not
 * in the form keep their value.
 */
function automationColumns(form: FunnelForm, before: FunnelRow | null): Partial<NewFunnel> {
  const { refresh_minutes, new_interviews, daily_limit } = before ?? OFF;
  const next = {
    refresh_minutes: form.refreshMinutes === undefined ? refresh_minutes : form.refreshMinutes,
    new_interviews: form.newInterviews ?? new_interviews,
    daily_limit: form.dailyLimit === undefined ? daily_limit : form.dailyLimit,
  };
  if (isDeepStrictEqual(next, { refresh_minutes, new_interviews, daily_limit })) return {};
  const { accountId, name } = currentActor();
  return { ...next, automated_by_id: accountId, automated_by: name };
}
