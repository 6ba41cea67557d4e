import type { Funnel, FunnelForm } from '#contracts/funnels.ts';
import { AppError } from '../../app-error.ts';
import type { Database, Executor } from '../../db/database.ts';
import { announce } from '../../live/bus.ts';
import type { SourceAccess } from '../../ports/interview-source.ts';
import { holdRotation } from '../../secrets/hold-rotation.ts';
import type { Logs } from '../logs/logs.service.ts';
import type { FileRemoval } from '../media/file-removal.service.ts';
import type { ApiKeyVault } from './api-key.ts';
import {
  activeFunnelRow,
  allFunnels,
  changeFunnel,
  funnelRow,
  holdActiveFunnel,
  holdFunnel,
  insertFunnel,
  makeActive,
  removeFunnel,
  removeInterviews,
} from './funnels.repo.ts';
import { type FunnelRow, funnelColumns, viewFunnel } from './funnels.view.ts';

export interface FunnelDependencies {
  db: Database;
  vault: ApiKeyVault;
  removal: FileRemoval;
  logs: Logs;
}

const gone = () => new AppError('not_found', 'This funnel no longer exists.');

/** Funnels: the sources of interviews. At most one is active. */
export class Funnels {
  readonly #on: FunnelDependencies;
  /** Stops a refresh of a funnel and waits until nobody works on it. Set by the sync feature: it knows funnels, not the reverse. */
  #stopRefresh: (funnelId: number) => Promise<void> = async () => {};

  constructor(dependencies: FunnelDependencies) {
    this.#on = dependencies;
  }

  beforeDelete(stopRefresh: (funnelId: number) => Promise<void>): void {
    this.#stopRefresh = stopRefresh;
  }

  async list(): Promise<Funnel[]> {
    return (await allFunnels(this.#on.db)).map((row) => this.#view(row));
  }

  async active(db: Executor = this.#on.db): Promise<Funnel | null> {
    const row = await activeFunnelRow(db);
    return row ? this.#view(row) : null;
  }

  /** The active funnel, which nobody can delete until the transaction ends. */
  async holdActive(tx: Executor): Promise<Funnel | null> {
    const held = await holdActiveFunnel(tx);
    return held ? this.find(tx, held.id) : null;
  }

  async find(db: Executor, id: number): Promise<Funnel | null> {
    const row = await funnelRow(db, id);
    return row ? this.#view(row) : null;
  }

  async create(form: FunnelForm): Promise<Funnel> {
    return this.#change('create-funnel', 'was created', async (tx) => {
      await holdRotation(tx);
      const { id } = await insertFunnel(tx, funnelColumns(form, this.#on.vault));
      return id;
    });
  }

  async update(id: number, form: FunnelForm): Promise<Funnel> {
    return this.#change('update-funnel', 'was changed', async (tx) => {
      await holdRotation(tx);
      const changed = await changeFunnel(tx, id, funnelColumns(form, this.#on.vault));
      return changed?.id;
    });
  }

  async activate(id: number): Promise<Funnel> {
    return this.#change('activate-funnel', 'was set as active', async (tx) =>
      (await makeActive(tx, id)) ? id : undefined,
    );
  }

  /** Deletes the funnel, its interviews and, right afterwards, their files; its log entries stay. A refresh of it that runs is stopped first. */
  async delete(id: number): Promise<{ message: string }> {
    const { db, logs, removal } = this.#on;
    if (!(await funnelRow(db, id))) throw gone();
    await this.#stopRefresh(id);
    await db.transaction().execute(async (tx) => {
      await holdFunnel(tx, id);
      await removal.enqueue(tx, await removeInterviews(tx, id));
      const removed = await removeFunnel(tx, id);
      if (!removed) throw gone();
      await announce(tx, 'funnels', String(id));
      await announce(tx, 'interviews', 'removed');
      await logs.write(tx, {
        type: 'system',
        action: 'delete-funnel',
        status: 'success',
        summary: `Funnel "${removed.name}" and its interviews were deleted.`,
        metadata: { funnelId: id, name: removed.name },
      });
    });
    return { message: 'Funnel deleted' };
  }

  /** The key and the external id, for calling the interview service. */
  async access(id: number): Promise<SourceAccess | null> {
    const row = await funnelRow(this.#on.db, id);
    return row
      ? { funnelId: row.external_id, apiKey: this.#on.vault.open(row.api_key_encrypted, row.external_id) }
      : null;
  }

  async #change(action: string, what: string, change: (tx: Executor) => Promise<number | undefined>): Promise<Funnel> {
    return this.#on.db.transaction().execute(async (tx) => {
      const id = await change(tx);
      const row = id === undefined ? undefined : await funnelRow(tx, id);
      if (!row) throw gone();
      await announce(tx, 'funnels', String(row.id));
      await this.#on.logs.write(tx, {
        type: 'system',
        action,
        status: 'success',
        summary: `Funnel "${row.name}" ${what}.`,
        metadata: { funnelId: row.id, name: row.name },
      });
      return this.#view(row);
    });
  }

  #view(row: FunnelRow): Funnel {
    return viewFunnel(row, this.#on.vault);
  }
}
