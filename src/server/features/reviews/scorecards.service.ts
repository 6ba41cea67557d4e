import type { Scorecard } from '#contracts/reviews.ts';
import { areSameCriteria, defaultCriteria } from '#contracts/rules/default-criteria.ts';
import { AppError } from '#server/app-error.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { ReviewedFunnel, ScorecardVersion } from './scorecards.repo.ts';
import * as repo from './scorecards.repo.ts';

interface ScorecardsDeps {
  db: Database;
  events: Events;
}

/** The versioned criteria of each funnel. */
export class Scorecards {
  readonly #deps: ScorecardsDeps;

  constructor(deps: ScorecardsDeps) {
    this.#deps = deps;
  }

  /** @throws AppError `not_found` when the funnel does not exist */
  async find(funnelId: number): Promise<Scorecard> {
    const funnel = expectFunnel(await repo.findReviewedFunnel(this.#deps.db, funnelId));
    return { criteria: (await repo.findSavedScorecard(this.#deps.db, funnelId))?.criteria ?? defaultCriteria(funnel) };
  }

  /**
   * If the criteria equal the default, the scorecard follows the funnel's expectations again.
   * @throws AppError `not_found` when the funnel does not exist
   */
  save(funnelId: number, { criteria }: Scorecard): Promise<Scorecard> {
    const { db, events } = this.#deps;
    return db.transaction().execute(async (tx) => {
      const funnel = expectFunnel(await repo.lockReviewedFunnel(tx, funnelId));
      await repo.lockScorecard(tx, funnelId);
      const byDefault = defaultCriteria(funnel);
      const current = (await repo.findSavedScorecard(tx, funnelId))?.criteria ?? byDefault;
      if (areSameCriteria(current, criteria)) return { criteria };
      const isDefault = areSameCriteria(byDefault, criteria);
      const version = await repo.insertScorecard(tx, { funnelId, criteria, isDefault });
      const labels = criteria.map(({ label }) => label);
      await events.record(tx, 'scorecard.changed', { funnelId, name: funnel.name, version, criteria: labels });
      return { criteria };
    });
  }

  /** Finds the current criteria and their version. A default is stored as a version here. */
  async findForReview(tx: Executor, funnelId: number): Promise<ScorecardVersion> {
    const saved = await repo.findSavedScorecard(tx, funnelId);
    if (saved) return saved;
    const criteria = defaultCriteria(expectFunnel(await repo.lockReviewedFunnel(tx, funnelId)));
    const known = await repo.findDefaultScorecard(tx, funnelId, criteria);
    if (known) return { ...known, criteria };
    await repo.lockScorecard(tx, funnelId);
    const savedBefore = await repo.findSavedScorecard(tx, funnelId);
    if (savedBefore) return savedBefore;
    const { version } = (await repo.findDefaultScorecard(tx, funnelId, criteria)) ?? {
      version: await repo.insertScorecard(tx, { funnelId, criteria, isDefault: true }),
    };
    return { version, criteria };
  }
}

function expectFunnel(funnel: ReviewedFunnel | undefined): ReviewedFunnel {
  if (!funnel) throw new AppError('not_found', 'This funnel no longer exists.');
  return funnel;
}
