import PQueue from 'p-queue';
import type { HandlerInput } from '#contracts/endpoint.ts';
import { SHARE_LIMITS } from '#contracts/rules/limits.ts';
import type { commentShared, decideShared, recordSharedWatching, SharedItem, SharedPage } from '#contracts/shares.ts';
import { AppError } from '#server/app-error.ts';
import { AttemptLimit } from '#server/attempt-limit.ts';
import { lockShareComments } from '#server/db/advisory-locks.ts';
import type { Database, Executor } from '#server/db/database.ts';
import type { Events } from '#server/events/events.ts';
import type { Interviews } from '#server/features/interviews/interviews.service.ts';
import { captionsOf } from '#server/features/processing/captions.service.ts';
import { verifyPasscode } from '#server/features/session/passcodes.service.ts';
import type { FileKind } from '#server/ports/file-store.ts';
import type { CachedLinks } from './cached-links.ts';
import type { FormerItem, OpenableShare } from './guests.repo.ts';
import * as repo from './guests.repo.ts';
import { type GuestCookie, GuestCookies, type GuestHash } from './share-tokens.ts';
import { redactionOfItem, viewSharedPage } from './shares.view.ts';

interface GuestsDeps {
  db: Database;
  events: Events;
  interviews: Pick<Interviews, 'listAnswers'>;
  links: CachedLinks;
  hash: GuestHash;
}

/** A request with a link. */
export interface GuestRequest {
  token: string;
  cookie: string | undefined;
  /** The network of the client. */
  address: string;
}

/** The data of the page before the recipient continues. It contains nothing about candidates. */
export interface Greeting {
  recipient: string;
  sender: string;
  needsPasscode: boolean;
}

/** Then the link is closed until staff reopen it. */
const MAX_PASSCODE_TRIES = 10;
/** A verification takes 19 MiB and a thread that also serves files. */
const PASSCODES = { concurrency: 2, maxWaiting: 64 };
const BUSY = 'Too many requests. Try again in a minute.';

/** Recipients of links, who have no account. A read changes nothing. */
export class Guests {
  readonly #deps: GuestsDeps;
  readonly #cookies: GuestCookies;
  readonly #verifications = new PQueue({ concurrency: PASSCODES.concurrency });
  /** Unknown links per address. A whole office may share one, so links that work stay open. */
  readonly #misses = new AttemptLimit(600, BUSY);
  readonly #openings = new AttemptLimit(60, BUSY);
  /** Per link: names are replaced in all of its texts. */
  readonly #reads = new AttemptLimit(240, BUSY);
  readonly #changes = new AttemptLimit(240, BUSY);

  constructor(deps: GuestsDeps) {
    this.#deps = deps;
    this.#cookies = new GuestCookies(deps.hash);
  }

  /** @throws AppError not_found for unknown, replaced, expired and revoked links alike */
  async greet(request: Omit<GuestRequest, 'cookie'>): Promise<Greeting> {
    const { recipient, sender, passcodeHash } = await this.#read(request);
    return { recipient, sender, needsPasscode: passcodeHash !== null };
  }

  /**
   * @throws AppError not_found; wrong_credentials for a missing or wrong passcode and a closed link
   * alike
   */
  async open(request: Omit<GuestRequest, 'cookie'>, passcode: string | null): Promise<GuestCookie> {
    const share = await this.#read(request);
    this.#openings.spend(`${share.id} ${request.address}`);
    if (share.passcodeHash !== null) await this.#checkPasscode(share, share.passcodeHash, passcode);
    else if (share.closedAt !== null) throw wrongPasscode();
    const { db, events } = this.#deps;
    await db.transaction().execute(async (tx) => {
      const isFirst = await repo.updateOpened(tx, share.id);
      await events.record(tx, 'share.opened', { ...(await findSubject(tx, share)), isFirst });
    });
    return this.#cookies.issue(share.tokenHash);
  }

  /**
   * @throws AppError not_found, unauthenticated without the cookie and for a closed link, or
   * too_many_requests
   */
  async findPage(request: GuestRequest): Promise<SharedPage> {
    const share = await this.#findOpened(request);
    this.#reads.spend(`${share.id}`);
    const rows = await repo.listGuestItems(this.#deps.db, share);
    if (rows.length === 0) throw linkNotFound();
    const ids = share.shows.questions ? rows.map(({ interviewId }) => interviewId) : [];
    return viewSharedPage(share, rows, await this.#deps.interviews.listAnswers(ids));
  }

  /** The name of the stored file of an item. @throws AppError as `findPage` */
  async findFile(request: GuestRequest, n: number, kind: FileKind): Promise<string> {
    const { files } = await this.#findOpened(request);
    const name = files[n]?.[kind];
    if (!name) throw itemNotFound();
    return name;
  }

  /** WebVTT. Empty unless the link shows the transcript. @throws AppError as `findPage` */
  async findCaptions(request: GuestRequest, n: number): Promise<string> {
    const share = await this.#findOpened(request);
    this.#reads.spend(`${share.id}`);
    const item = await repo.findGuestItem(this.#deps.db, share, n);
    if (!item) throw itemNotFound();
    const { text } = redactionOfItem(item, share.shows);
    return captionsOf((item.segments ?? []).map((segment) => ({ ...segment, text: text(segment.text) })));
  }

  /** @throws AppError as `findPage` */
  async recordWatching(
    request: GuestRequest,
    { n, ranges }: HandlerInput<typeof recordSharedWatching>['body'],
  ): Promise<void> {
    const share = await this.#findOpened(request);
    const whole = ranges
      .map(([from, to]) => [Math.round(from), Math.round(to)] as const)
      .filter(([from, to]) => from < to);
    await this.#change(share, n, async (tx, { interviewId, title, isFirstWatching }) => {
      if (whole.length === 0) return;
      await repo.addWatched(tx, { shareId: share.id, n }, whole);
      if (!isFirstWatching) return;
      await this.#deps.events.record(tx, 'share.watched', { ...(await findSubject(tx, share)), interviewId, title });
    });
  }

  /** @throws AppError as `findPage`, or forbidden when the link takes no verdicts */
  async decide(request: GuestRequest, { n, verdict, note }: HandlerInput<typeof decideShared>['body']): Promise<void> {
    const share = await this.#findOpened(request);
    if (!share.mayDecide) throw new AppError('forbidden', 'The sender of this link does not ask for a decision.');
    await this.#change(share, n, async (tx, { interviewId, title, ...former }) => {
      const stored = note || null;
      if (former.verdict === verdict && former.verdictNote === stored) return;
      await repo.updateVerdict(tx, { shareId: share.id, n }, { verdict, note: stored });
      const subject = await findSubject(tx, share);
      await this.#deps.events.record(tx, 'share.decided', { ...subject, interviewId, title, verdict });
    });
  }

  /** @throws AppError as `findPage`, forbidden when the link takes no comments, or conflict */
  async comment(
    request: GuestRequest,
    { n, atSeconds, body }: HandlerInput<typeof commentShared>['body'],
  ): Promise<SharedItem['comments'][number]> {
    const share = await this.#findOpened(request);
    if (!share.mayComment) throw new AppError('forbidden', 'The sender of this link does not ask for comments.');
    return this.#change(share, n, async (tx, { interviewId, title }) => {
      await lockShareComments(tx, share.id);
      if ((await repo.countComments(tx, share.id)) >= SHARE_LIMITS.comments)
        throw new AppError('conflict', `A link can have at most ${SHARE_LIMITS.comments} comments.`);
      const { id, created_at } = await repo.insertComment(tx, { shareId: share.id, n }, { atSeconds, body });
      await this.#deps.events.record(tx, 'share.commented', { ...(await findSubject(tx, share)), interviewId, title });
      return { id, atSeconds, body, createdAt: created_at.toISOString() };
    });
  }

  /** Changes an item that is locked. @throws AppError not_found, too_many_requests */
  async #change<Result>(
    share: OpenableShare,
    n: number,
    change: (tx: Executor, item: FormerItem) => Promise<Result>,
  ): Promise<Result> {
    this.#changes.spend(`${share.id}`);
    return await this.#deps.db.transaction().execute(async (tx) => {
      const item = await repo.lockGuestItem(tx, share, n);
      if (!item) throw itemNotFound();
      return change(tx, item);
    });
  }

  /** Reads the link from the database. */
  async #read({ token, address }: Pick<GuestRequest, 'token' | 'address'>): Promise<OpenableShare> {
    return this.#expectFound(await this.#deps.links.read(token), address);
  }

  /** Returns a link in memory without a query. */
  async #findOpened({ token, address, cookie }: GuestRequest): Promise<OpenableShare> {
    const share = this.#expectFound(await this.#deps.links.find(token), address);
    if (share.closedAt === null && this.#cookies.isValid(cookie, share.tokenHash)) return share;
    throw new AppError('unauthenticated', 'Open this link again to continue.');
  }

  #expectFound(found: OpenableShare | undefined, address: string): OpenableShare {
    if (found) return found;
    this.#misses.spend(address);
    throw linkNotFound();
  }

  async #checkPasscode(share: OpenableShare, passcodeHash: string, passcode: string | null): Promise<void> {
    if (passcode === null) throw wrongPasscode();
    if (this.#verifications.size >= PASSCODES.maxWaiting) throw new AppError('too_many_requests', BUSY);
    const tries = await repo.countPasscodeTry(this.#deps.db, share.id, MAX_PASSCODE_TRIES);
    // A closed link takes as long as a wrong passcode.
    const isRight = await this.#verifications.add(() => verifyPasscode(passcodeHash, passcode));
    if (tries !== undefined && isRight) return;
    // Without a count, an earlier process may have ended before it closed the link.
    if (tries === undefined || tries === MAX_PASSCODE_TRIES) await this.#close(share);
    throw wrongPasscode();
  }

  async #close(share: OpenableShare): Promise<void> {
    const { db, events, links } = this.#deps;
    const isChanged = await db.transaction().execute(async (tx) => {
      if (!(await repo.updateClosed(tx, share.id))) return false;
      const expiresAt = share.expiresAt.toISOString();
      await events.record(tx, 'share.changed', { ...(await findSubject(tx, share)), change: 'locked', expiresAt });
      return true;
    });
    if (isChanged) links.clear();
  }
}

/** The fields that describe the link in events. */
const findSubject = async (tx: Executor, { id, title, recipient, senderId }: OpenableShare) => ({
  ...{ shareId: id, shareTitle: title, recipient, senderId },
  funnelIds: await repo.listFunnelsOf(tx, id),
});

const linkNotFound = () => new AppError('not_found', 'This link no longer exists. Ask its sender for a new one.');
const itemNotFound = () => new AppError('not_found', 'This part of the link no longer exists.');
const wrongPasscode = () =>
  new AppError('wrong_credentials', 'The passcode is wrong, or the link is closed. Ask its sender for help.');
