import { MAX_SAVED_VIEWS } from '#contracts/rules/limits.ts';
import type { SavedView } from '#contracts/saved-views.ts';
import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { OwnedView } from './saved-views.repo.ts';
import * as repo from './saved-views.repo.ts';

const viewNotFound = () => new AppError('not_found', 'This view no longer exists.');

/** Filters of the interview list that each account keeps under names. */
export class SavedViews {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(accountId: number): Promise<SavedView[]> {
    return repo.listSavedViewsOf(this.#db, accountId);
  }

  /** @throws AppError `conflict` when the account has the maximum number of views */
  create(accountId: number, { name, query }: { name: string; query: string }): Promise<SavedView> {
    return this.#db.transaction().execute(async (tx) => {
      await repo.lockViewsOfAccount(tx, accountId);
      const views = await repo.listSavedViewsOf(tx, accountId);
      if (views.length >= MAX_SAVED_VIEWS)
        throw new AppError('conflict', `You have ${MAX_SAVED_VIEWS} saved views. Delete one to save another.`);
      return repo.insertSavedView(tx, { account_id: accountId, name, query });
    });
  }

  /** @throws AppError `not_found` when the account has no such view */
  async rename(view: OwnedView, name: string): Promise<SavedView> {
    const renamed = await repo.updateSavedViewName(this.#db, view, name);
    if (!renamed) throw viewNotFound();
    return renamed;
  }

  /** @throws AppError `not_found` when the account has no such view */
  async delete(view: OwnedView): Promise<{ message: string }> {
    if (!(await repo.deleteSavedView(this.#db, view))) throw viewNotFound();
    return { message: 'View deleted' };
  }
}

/** Deletes all accounts' views whose name or search contains all words of one of these texts. */
export async function deleteSavedViewsWith(tx: Executor, texts: readonly (readonly RegExp[])[]): Promise<void> {
  const isFound = ({ name, query }: SavedView) =>
    [name, ...new URLSearchParams(query).values()].some((text) =>
      texts.some((words) => words.every((word) => text.search(word) >= 0)),
    );
  await repo.deleteSavedViews(
    tx,
    (await repo.listAllSavedViews(tx)).filter(isFound).map(({ id }) => id),
  );
}
