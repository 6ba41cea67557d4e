import type { HandlerInput, ResponseOf } from '#contracts/endpoint.ts';
import { SHARE_LIMITS } from '#contracts/rules/limits.ts';
import type { getShareDefaults, previewShare, SharedPage } from '#contracts/shares.ts';
import type { Database } from '#server/db/database.ts';
import { type Interviews, interviewNotFound } from '#server/features/interviews/interviews.service.ts';
import { currentActor, visibleFunnels } from '#server/request-context.ts';
import { findLastShare, listPreviewItems } from './new-share.repo.ts';
import { viewSharedPage } from './shares.view.ts';

interface NewShareDeps {
  db: Database;
  interviews: Pick<Interviews, 'expectVisible' | 'listAnswers'>;
}

/** The preview and the defaults of a new share. */
export class NewShare {
  readonly #deps: NewShareDeps;

  constructor(deps: NewShareDeps) {
    this.#deps = deps;
  }

  /** @throws AppError not_found for an interview that the caller does not see */
  async preview(input: HandlerInput<typeof previewShare>['body']): Promise<SharedPage> {
    const { db, interviews } = this.#deps;
    const { interviewIds, shows, mayComment, mayDecide } = input;
    const rows = await listPreviewItems(db, { interviewIds, shows }, visibleFunnels());
    if (rows.length < interviewIds.length) throw interviewNotFound();
    const page = { title: input.title, message: input.message || null, recipient: input.recipient, shows };
    return viewSharedPage(
      { ...page, sender: currentActor().name ?? '', expiresAt: new Date(input.expiresAt), mayComment, mayDecide },
      rows,
      await interviews.listAnswers(shows.questions ? interviewIds : []),
    );
  }

  /** @throws AppError not_found for an interview that the caller does not see */
  async findDefaults(interviewId: string): Promise<ResponseOf<typeof getShareDefaults>> {
    const { db, interviews } = this.#deps;
    const { accountId } = currentActor();
    await interviews.expectVisible(interviewId);
    const last = await findLastShare(db, { interviewId, accountId }, visibleFunnels());
    return last ? { ...last, days: Math.min(last.days, SHARE_LIMITS.days) } : null;
  }
}
