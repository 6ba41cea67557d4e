import type { AtsPush, getAtsPush, sendToAts } from '#contracts/ats-pushes.ts';
import type { HandlerInput, ResponseOf } from '#contracts/endpoint.ts';
import { parseDestination } from '#contracts/rules/destination.ts';
import { AppError } from '#server/app-error.ts';
import type { Executor } from '#server/db/database.ts';
import { askInTime } from '#server/features/ats/connected-ats.service.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import { interviewNotFound } from '#server/features/interviews/interviews.service.ts';
import type { Shares } from '#server/features/shares/shares.service.ts';
import type { Ats, AtsTarget } from '#server/ports/ats.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
import { previewNote, writeNote } from './note-text.ts';
import {
  findCandidateRefusal,
  findJobRefusal,
  findOnlyCandidate,
  findSendable,
  isPushRefusal,
  pushRefusalError,
} from './push-target.ts';
import { PushWorker, type PushWorkerDeps } from './push-worker.ts';
import {
  findContent,
  listContents,
  listCurrentPushes,
  lockCurrentPushes,
  type NoteVerdict,
  type PushContent,
  type PushRow,
  updateDueNow,
  upsertPush,
} from './pushes.repo.ts';

interface AtsPushDeps extends PushWorkerDeps {
  interviews: Pick<Interviews, 'findPush' | 'lockAll'>;
  shares: Pick<Shares, 'list'>;
}

/** The target of a push in a bulk run, or the reason to skip the interview. */
export type BulkTarget = AtsTarget | { reason: string };

/** Writes notes about interviews into the applicant tracking system (ATS). */
export class AtsPushes {
  readonly #deps: AtsPushDeps;
  readonly job;

  constructor(deps: AtsPushDeps) {
    this.#deps = deps;
    this.job = new PushWorker(deps).job;
  }

  /** `origin` is the product's URL. @throws AppError not_found, not_configured; UpstreamError */
  async find(interviewId: string, shareId: number | null, origin: string): Promise<ResponseOf<typeof getAtsPush>> {
    const { db, interviews } = this.#deps;
    const { content, verdict } = await this.#read(interviewId, shareId);
    const ats = this.#expectAts();
    const note = previewNote(writeNote(content, verdict, origin));
    const push = await interviews.findPush(db, interviewId);
    const email = content.email?.trim();
    const destination = content.destinationId === null ? null : parseDestination(content.destinationId);
    const [candidates, job] = await askInTime(ats, LOOKUP_TIMEOUT_MS, (signal) =>
      Promise.all([
        email ? ats.findCandidates({ email, jobId: destination?.jobId ?? '' }, signal) : [],
        destination && ats.findJob(destination, signal),
      ]),
    );
    return { candidates, job, note, push };
  }

  /**
   * Requests that the note is written or updated. Does nothing if the ATS already has this note or
   * it is being written.
   * @throws AppError naming the wrong field
   */
  async send(
    interviewId: string,
    { candidateId, shareId }: HandlerInput<typeof sendToAts>['body'],
    origin: string,
  ): Promise<AtsPush> {
    const { db, interviews } = this.#deps;
    const { content, verdict } = await this.#read(interviewId, shareId ?? null);
    const ats = this.#expectAts();
    const sendable = findSendable(content, ats.name);
    if (isPushRefusal(sendable)) throw pushRefusalError(sendable);
    const { email, ...job } = sendable;
    const target: AtsTarget = { candidateId, ...job };
    const isChecked = await this.#isChecked(ats, target, email);
    return await db.transaction().execute(async (tx) => {
      const [locked] = await interviews.lockAll(tx, [interviewId]);
      const latest = locked && (await findContent(tx, interviewId, verdict));
      if (!latest) throw interviewNotFound();
      if (latest.destinationId !== content.destinationId)
        throw new AppError('conflict', 'Someone else just changed the destination. Reload and try again.', {
          field: 'destinationId',
        });
      await this.#request(tx, { content: latest, target, isChecked, verdict, origin });
      const push = await interviews.findPush(tx, interviewId);
      if (!push) throw new Error('The requested push does not exist');
      return push;
    });
  }

  /** Resolves with false if the ATS already has this note. */
  async #request(tx: Executor, request: PushRequest): Promise<boolean> {
    const { content, target, isChecked, verdict, origin } = request;
    const { queue, events } = this.#deps;
    const { name } = this.#expectAts();
    const [current] = await lockCurrentPushes(tx, [content.interviewId]);
    if (current && (isUnderway(current) || (current.state === 'unclear' && isSameTarget(current, target)))) {
      await this.#hurry(tx, current, target);
      return true;
    }
    const isStored = current?.state === 'sent' && current.contentHash === content.contentHash;
    if (isStored && current.connectionId === name && isSameTarget(current, target)) return false;
    const { interviewId, contentHash, funnelId, title } = content;
    const note = writeNote(content, verdict, origin);
    const { id } = await upsertPush(tx, {
      ...{ interviewId, connectionId: name, target, isChecked, verdict, contentHash, note },
      writeBeganAt: current?.writeBeganAt ?? null,
    });
    await queue.enqueue(tx, this.job, { pushId: id });
    await events.record(tx, 'ats.progressed', { interviewId, funnelId, title, ats: name });
    return true;
  }

  /** Makes an open push attempt again immediately. */
  async #hurry(tx: Executor, current: PushRow, target: AtsTarget): Promise<void> {
    if (!isSameTarget(current, target))
      throw new AppError('conflict', 'The note is being sent to another candidate or job. Wait until that ends.', {
        field: 'candidateId',
      });
    // A worker is already on it, or about to claim it.
    if (current.state === 'pending' && current.dueAt !== null && current.dueAt.getTime() <= Date.now()) return;
    await updateDueNow(tx, current.id);
    await this.#deps.queue.enqueue(tx, this.job, { pushId: current.id });
  }

  /**
   * Finds the targets of interviews in a bulk run: the candidate with the e-mail address, if there
   * is exactly one. Omits deleted interviews. Must be called outside of transactions.
   */
  async findTargets(interviewIds: readonly string[], signal: AbortSignal): Promise<Map<string, BulkTarget>> {
    const { db, ats } = this.#deps;
    const contents = await listContents(db, interviewIds);
    const pushes = new Map((await listCurrentPushes(db, interviewIds)).map((push) => [push.interviewId, push]));
    const targets = new Map<string, BulkTarget>();
    let failure = ats ? null : NO_ATS;
    for (const content of contents) {
      const { interviewId } = content;
      if (failure !== null || !ats) targets.set(interviewId, { reason: failure ?? NO_ATS });
      else
        try {
          targets.set(interviewId, await this.#findTarget(ats, { content, push: pushes.get(interviewId) }, signal));
        } catch (error) {
          if (signal.aborted || !(error instanceof UpstreamError)) throw error;
          // Don't let every remaining interview wait for it.
          failure = error.message;
          targets.set(interviewId, { reason: failure });
        }
    }
    return targets;
  }

  async #findTarget(
    ats: Ats,
    { content, push }: { content: PushContent; push: PushRow | undefined },
    signal: AbortSignal,
  ): Promise<BulkTarget> {
    const sendable = findSendable(content, ats.name);
    if (isPushRefusal(sendable)) return sendable;
    const { email, ...job } = sendable;
    if (push && isUnderway(push)) return { reason: 'Is being sent.' };
    const former = push && isSameTarget(push, { ...job, candidateId: push.target.candidateId }) ? push : null;
    if (former?.state === 'sent') {
      const isChanged = (await this.#deps.interviews.findPush(this.#deps.db, content.interviewId))?.isChanged;
      return isChanged ? former.target : { reason: `Already in ${ats.name}.` };
    }
    const found = findOnlyCandidate(await ats.findCandidates({ email, jobId: job.jobId }, signal), ats.name);
    if (isPushRefusal(found)) return found;
    const refusal = findJobRefusal(await ats.findJob(job, signal), job, ats.name);
    return refusal ?? { candidateId: found.id, ...job };
  }

  /**
   * Requests pushes of locked interviews. Returns the ids of interviews whose notes are being
   * written.
   */
  async sendAll(
    tx: Executor,
    targets: ReadonlyMap<string, AtsTarget>,
    origin: string | null,
  ): Promise<ReadonlySet<string>> {
    const pushes = new Map((await lockCurrentPushes(tx, [...targets.keys()])).map((push) => [push.interviewId, push]));
    const sending = new Set<string>();
    for (const [interviewId, target] of targets) {
      const current = pushes.get(interviewId);
      // An update keeps the verdict that a user has chosen.
      const verdict = current && isSameTarget(current, target) ? current.verdict : null;
      const content = await findContent(tx, interviewId, verdict);
      if (!content) continue;
      const isBeingSent =
        (current && isUnderway(current)) ||
        (await this.#request(tx, { content, target, isChecked: true, verdict, origin }));
      if (isBeingSent) sending.add(interviewId);
    }
    return sending;
  }

  /**
   * Returns true if the ATS has the candidate and the job, and false if it is unavailable: the
   * background job then checks them. @throws AppError for a wrong candidate or job
   */
  async #isChecked(ats: Ats, { candidateId, ...job }: AtsTarget, email: string): Promise<boolean> {
    const signal = AbortSignal.timeout(this.#deps.retry.checkTimeoutMs);
    try {
      const [candidates, found] = await Promise.all([
        ats.findCandidates({ email, jobId: job.jobId }, signal),
        ats.findJob(job, signal),
      ]);
      const refusal = findCandidateRefusal(candidates, candidateId, ats.name) ?? findJobRefusal(found, job, ats.name);
      if (refusal) throw pushRefusalError(refusal);
      return true;
    } catch (error) {
      if (error instanceof UpstreamError && error.kind === 'unauthorised')
        throw new AppError('conflict', error.message);
      if (error instanceof AppError) throw error;
      return false;
    }
  }

  /** @throws AppError not_found; conflict for a link without a verdict on the interview */
  async #read(interviewId: string, shareId: number | null) {
    const { db } = this.#deps;
    const content = await findContent(db, interviewId, null);
    if (!content) throw interviewNotFound();
    if (shareId === null) return { content, verdict: null };
    const verdict = await this.#findVerdict(interviewId, shareId);
    return { content: (await findContent(db, interviewId, verdict)) ?? content, verdict };
  }

  async #findVerdict(interviewId: string, shareId: number): Promise<NoteVerdict> {
    const shares = await this.#deps.shares.list({ interviewId });
    const share = shares.find(({ id }) => id === shareId);
    const item = share?.interviews.find((shared) => shared.interviewId === interviewId);
    if (!share || !item?.verdict)
      throw pushRefusalError({
        reason: "The recipient of this link hasn't decided on this interview. Choose another link.",
        field: 'shareId',
      });
    return { shareId, recipient: share.recipient.name, verdict: item.verdict, note: item.verdictNote };
  }

  #expectAts(): Ats {
    const { ats } = this.#deps;
    if (!ats) throw new AppError('not_configured', NO_ATS);
    return ats;
  }
}

interface PushRequest {
  content: PushContent;
  target: AtsTarget;
  isChecked: boolean;
  verdict: NoteVerdict | null;
  origin: string | null;
}

const LOOKUP_TIMEOUT_MS = 20_000;
const NO_ATS = 'No ATS is connected. Ask an admin to connect Bullhorn or Lever.';

/** False for an unclear push whose attempts have ended. */
const isUnderway = ({ dueAt }: PushRow): boolean => dueAt !== null;

const isSameTarget = ({ target }: PushRow, { candidateId, employerId, jobId }: AtsTarget): boolean =>
  target.candidateId === candidateId && target.employerId === employerId && target.jobId === jobId;
