// Over 400 lines: the catalog of events is closed, and a single table is easier to search.

import { z } from 'zod';
import { BULK_ACTIONS } from './bulk.ts';
import { Moment } from './fields.ts';
import { AnswerStart } from './review.ts';
import { ROLES, SCOPES } from './rules/roles.ts';
import { SIGN_ON_REFUSALS } from './rules/sign-on-refusals.ts';
import { STEP_NAMES } from './rules/steps.ts';
import { CLIENT_VERDICTS } from './shares.ts';
import { Timeframe } from './sync.ts';
import { TRANSCRIPT_FORMATS } from './transcripts.ts';

const id = z.int();
const text = z.string();
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();

/** A user, and the address of their client. */
const person = { username: text, address: text };
const funnel = { funnelId: id, name: text };
const named = { interviewId: text, title: text };
const interview = { ...named, funnelId: id };
/** `username` is the owner. */
const apiToken = { tokenId: id, accountId: id, username: text, name: text };
/** A recipient's link. `senderId` is null if the sender's account was deleted. */
const share = {
  shareId: id,
  shareTitle: text,
  recipient: text,
  senderId: id.nullable(),
  /** The funnels of its interviews. */
  funnelIds: list(id),
};
const step = z.enum(STEP_NAMES);
const bulkAction = z.enum(BULK_ACTIONS);
/** A user, the schedule of the funnel, or interviews that its service announced. */
const RunCause = z.enum(['user', 'schedule', 'event']);
/** Fields of an account that administrators set. */
const AccountFields = z
  .object({ email: text.nullable(), role: z.enum(ROLES), allFunnels: z.boolean(), funnelIds: list(id) })
  .partial();

/**
 * Everything that can happen, with its data: ids and values, never sentences. Names and fields are
 * public: add new ones, never rename one.
 */
export const EVENTS = {
  'account.changed': z.object({
    /** Absent for changes from the command line. */
    accountId: id.optional(),
    username: text,
    change: z.enum([
      'first',
      'added',
      'password',
      'factor-removed',
      'removed',
      'invited',
      'invitation-renewed',
      'updated',
      'disabled',
      'enabled',
      /** The rest is from single sign-on: a person without an account signed in. */
      'created-at-sign-in',
      'role-by-claim',
      /** A claim would demote the last enabled administrator, who keeps the role. */
      'role-kept',
    ]),
    /** The changed fields. */
    before: AccountFields.optional(),
    after: AccountFields.optional(),
  }),
  /** A user changed their own account. */
  'own-account.changed': z.object({
    ...person,
    change: z.enum([
      'password',
      'default-password',
      'invitation',
      'factor-set-up',
      'factor-set-up-at-sign-in',
      'factor-moved',
      'factor-removed',
      'recovery-codes',
    ]),
    otherSessions: z.int().optional(),
    remembered: z.boolean().optional(),
  }),
  'api-token.created': z.object({ ...apiToken, scopes: list(z.enum(SCOPES)), expiresAt: Moment }),
  /** Its owner or an administrator revoked it. */
  'api-token.revoked': z.object({ ...apiToken, isOwn: z.boolean() }),
  'default-credentials.found': z.object({ username: text }),
  'sign-in.succeeded': z.object({
    ...person,
    remembered: z.boolean(),
    /** `off`: the account has no second factor. */
    secondFactor: z.enum(['off', 'app', 'recovery-code']),
  }),
  'single-sign-on.succeeded': z.object({ ...person, issuer: text, subject: text }),
  'single-sign-on.refused': z.object({
    address: text,
    reason: z.enum(SIGN_ON_REFUSALS),
    /** Why the provider or its response was rejected. Empty for other reasons. */
    details: text,
    /** The account that would have been signed in to. */
    username: text.optional(),
    /** Absent if the provider was unreachable or could not be trusted. */
    identity: z.object({ issuer: text, subject: text, email: text.nullable() }).optional(),
  }),
  /** An account was linked to a person at the provider. */
  'identity.linked': z.object({
    ...person,
    accountId: id,
    issuer: text,
    subject: text,
    /** `password`: the person proved with the password that the account is theirs. */
    by: z.enum(['email', 'password']),
  }),
  /** The provider ended sessions of a person. */
  'single-sign-on.ended': z.object({ username: text, count: z.int() }),
  'logout-token.refused': z.object({ address: text, details: text }),
  /** The password was correct, and the second factor is missing. */
  'sign-in.pending': z.object(person),
  'sign-in.failed': z.object({
    address: text,
    waitSeconds: z.number(),
    /** Attempts with the same unknown name have the same hash. */
    cause: z.discriminatedUnion('wrong', [
      z.object({ wrong: z.enum(['password', 'code']), username: text }),
      z.object({ wrong: z.literal('name'), usernameHash: text }),
    ]),
  }),
  /** A signed-in user failed to prove who they are. */
  'proof.failed': z.object({
    ...person,
    field: z.enum(['currentPassword', 'code']),
    action: z.enum(['change-password', 'second-factor']),
  }),
  'session.started': z.object({ accountId: id }),
  'session.ended': z.object({
    sessionId: text,
    account: z.object({ id, username: text }).nullable(),
    /**
     * `remote`: the user signed out one of their devices. `provider`: see `single-sign-on.ended`.
     */
    cause: z.discriminatedUnion('kind', [
      z.object({ kind: z.enum(['replaced', 'sign-out', 'provider']) }),
      z.object({ kind: z.literal('remote'), device: text, address: text }),
    ]),
  }),
  /** The sessions of an account ended, because it was changed or signed out everywhere. */
  'sessions.ended': z.object({ accountId: id, signedOut: z.object({ username: text, count: id }).nullable() }),
  'sessions.expired': z.object({
    sessions: z.array(
      z.object({
        accountId: id,
        username: text,
        remembered: z.boolean(),
        createdAt: Moment,
        isReplaced: z.boolean(),
      }),
    ),
  }),

  /**
   * A user is about to delete the funnel or to change what it reads. Recorded before the
   * transaction of the change, because refreshes of the funnel stop first.
   */
  'funnel.change-requested': z.object({ funnelId: id }),
  'funnel.changed': z.object({
    ...funnel,
    change: z.enum(['created', 'updated', 'activated']),
    /** The funnel that was active before. */
    deactivatedId: id.nullable(),
    /** It reads another list: its source or its id at the service has changed. */
    hasNewList: z.boolean(),
    /** True also when the API key has changed. */
    hasNewAccess: z.boolean(),
  }),
  /** Recorded while the rows of the funnel still exist. */
  'funnel.deleted': z.object({ ...funnel, interviews: z.int(), publishedVideos: z.int() }),
  'funnel.restored': z.object({
    ...funnel,
    /** When the backup was made. */
    backupOf: text,
    interviews: z.int(),
    files: z.int(),
    missingFiles: z.int(),
    /** Left out: of erased candidates, of other funnels, and removed with the funnel. */
    erased: z.int(),
    existing: z.int(),
    publishedVideos: z.int(),
  }),
  'api-key.revealed': z.object(funnel),

  'interview.archived': z.object(interview),
  'interview.unarchived': z.object(interview),
  /** A user wrote the transcript or the summary. */
  'interview.edited': z.object({ ...interview, text: z.enum(['transcript', 'summary']) }),
  'interview.linked': z.object({ ...interview, destinationId: text }),
  'failures.dismissed': z.object({ ...interview, errors: z.array(text) }),
  'answer.marked': z.object({ ...interview, start: AnswerStart }),
  /** Contains no opinion: it may still be hidden from colleagues. */
  'review.submitted': z.object({ ...interview, accountId: id, isFirst: z.boolean() }),
  'review.withdrawn': z.object({ ...interview, accountId: id }),
  /** A user opened others' reviews without submitting a review. */
  'reviews.opened': z.object({ ...interview, accountId: id }),
  /**
   * `mentionedIds` are accounts that see the interview; in `comment.changed`, only newly mentioned
   * ones.
   */
  'comment.added': z.object({ ...interview, commentId: text, accountId: id, mentionedIds: list(id) }),
  'comment.changed': z.object({ ...interview, commentId: text, accountId: id, mentionedIds: list(id) }),
  'comment.deleted': z.object({ ...interview, commentId: text }),
  'scorecard.changed': z.object({ ...funnel, version: z.int(), criteria: list(text) }),
  'interview.unwatched': z.object({ interviewId: text, accountId: id.nullable() }),
  /** The recordings of an interview were joined, or are known to stay separate. */
  'recordings.joined': z.object({ interviewId: text, funnelId: id }),
  'recording.loaded': z.object(interview),
  'recording.played': z.object(interview),
  'transcripts.read': z.object({ interviews: z.array(z.object(interview)) }),
  /** A user downloaded the transcript as a file. */
  'transcript.exported': z.object({ ...interview, format: z.enum(TRANSCRIPT_FORMATS) }),
  /** A user downloaded a list as a file. `funnelIds` limits the list; null for all funnels. */
  'interviews.exported': z.object({ count: z.int(), isComplete: z.boolean(), funnelIds: list(id).nullable() }),
  /** A user printed interviews with their reviews: one, or several in comparison. */
  'interviews.printed': z.object({ interviews: list(z.object(interview)) }),
  'virus.found': z.object({
    interviewId: text,
    funnelId: id.nullable(),
    kind: z.enum(['video', 'thumbnail']),
    virus: text,
  }),

  'automation.resumed': z.object({ ...funnel, wasPaused: z.boolean() }),
  /** `reason` is the message of the failure. */
  'automation.paused': z.object({ ...funnel, reason: text }),
  /** Interviews that waited for the daily limit are processed, or no longer wait. */
  'awaited-interviews.started': z.object({ funnelId: id }),
  'webhook.created': z.object(funnel),
  'webhook.revealed': z.object(funnel),
  'webhook.signing-secret-stored': z.object(funnel),
  'webhook-events.refused': z.object({
    /** The cause of the last one. */
    cause: z.enum(['unknown-address', 'no-signing-secret', 'wrong-signature']),
    count: z.int(),
  }),

  /** An administrator changed it, or the product paused it. Omits the URL, which may be secret. */
  'outgoing-webhook.changed': z.object({
    webhookId: id,
    host: text,
    change: z.enum(['created', 'updated', 'deleted', 'secret-replaced', 'paused']),
    /** Why it was paused. */
    reason: text.nullable(),
  }),

  /** Interviews are new in a funnel. */
  'interview.added': z.object({ funnelId: id, interviewIds: list(text) }),
  /** The recording of an upload became an interview. */
  'upload.added': z.object(interview),
  /** Contains no text about the candidate, because an erasure could not find it. */
  'upload.canceled': z.object({ interviewId: text, funnelId: id }),
  'upload.refused': z.object({ interviewId: text, funnelId: id, reason: text }),
  /** Uploads without progress were deleted, because space is short. */
  'uploads.expired': z.object({ interviewIds: list(text) }),
  /** `problem` is null when the folder can be used again. */
  'upload-folder.changed': z.object({ problem: text.nullable() }),

  /** A user started a refresh, or the next one of a queue started late. */
  'refresh.started': z.object({}),
  'refresh.canceled': z.object({ funnelId: id, funnelName: text.nullable() }),
  /** The funnels of the dismissed errors. Null: all funnels. */
  'refresh-errors.dismissed': z.object({ funnelIds: list(id).nullable() }),
  'run.started': z.object({
    ...funnel,
    runId: text,
    timeframe: Timeframe,
    /** The number of announced interviews that it reads. Null for a run that reads the list. */
    announced: z.int().nullable(),
  }),
  'run.progressed': z.object({ runId: text, cause: RunCause }),
  'run.cancel-requested': z.object({ runId: text }),
  /** The transaction is going to end a run of the funnel, and has locked nothing yet. */
  'run.ending': z.object({ funnelId: id }),
  'run.ended': z.object({
    runId: text,
    funnelId: id,
    /** Null when the funnel was deleted. */
    funnel: z.object({ name: text, serviceId: text, clientName: text.nullable() }).nullable(),
    cause: RunCause,
    timeframe: Timeframe,
    status: z.enum(['completed', 'failed']),
    isCanceled: z.boolean(),
    /**
     * True if another attempt would fail too: the service rejected the funnel's key or id, or its
     * responses crash the process.
     */
    isRefused: z.boolean(),
    message: text.nullable(),
    error: text.nullable(),
    processingTimeMs: z.number(),
    counts: z.object({
      processed: z.int(),
      new: z.int(),
      updated: z.int(),
      archived: z.int(),
      skipped: z.int(),
      fieldChanges: z.int(),
      downloadedFiles: z.int(),
      failedFiles: z.int(),
    }),
    /** At most 500 interviews each, as all three lists below. */
    skipped: list(z.object({ ...named, reason: text })),
    changes: list(z.object({ ...named, field: text, oldValue: text.nullable(), newValue: text.nullable() })),
    failures: list(z.object({ interviewId: text, kind: text, reason: text.nullable() })),
  }),

  'step.started': z.object({ ...interview, step, videoHost: text }),
  'step.progressed': z.object({ interviewId: text, step }),
  'step.ended': z.object({
    ...interview,
    step,
    videoHost: text,
    /** Null for a success. */
    error: text.nullable(),
    /** How the result differs from the request. */
    note: text.nullable(),
  }),
  /** A text written by staff replaced what the step would have written. */
  'step.replaced': z.object({ interviewId: text, step }),

  'bulk-run.started': z.object({ bulkRunId: id }),
  /** Interviews were changed, or steps of them started, in one transaction. */
  'bulk-run.applied': z.object({
    bulkRunId: id,
    action: bulkAction,
    destinationId: text.nullable(),
    interviews: list(
      z.object({
        ...interview,
        steps: list(step),
        /** The destination that was replaced. */
        former: z.object({ destinationId: text.nullable(), notes: text.nullable() }).nullable(),
      }),
    ),
  }),
  'bulk-run.progressed': z.object({ bulkRunId: id }),
  /** Steps of a canceled run that had not begun were withdrawn. */
  'bulk-run.withdrew': z.object({ bulkRunId: id, funnelIds: list(id) }),
  'bulk-run.cancel-requested': z.object({ bulkRunId: id, action: bulkAction, total: z.int() }),
  'bulk-run.ended': z.object({
    bulkRunId: id,
    action: bulkAction,
    status: z.enum(['completed', 'canceled', 'failed']),
    error: text.nullable(),
    total: z.int(),
    done: z.int(),
    failed: z.int(),
    skipped: z.int(),
    /** Null when the only transaction of the run has recorded its whole result. */
    report: z
      .object({
        reasons: list(z.object({ outcome: text, reason: text, count: z.int() })),
        interviews: list(z.object({ ...named, outcome: text, reason: text })),
      })
      .nullable(),
  }),

  'share.created': z.object({
    shareTitle: text,
    recipients: list(z.object({ shareId: id, name: text, email: text.nullable() })),
    interviews: list(z.object(named)),
    funnelIds: list(id),
  }),
  'share.opened': z.object({ ...share, isFirst: z.boolean() }),
  /** The recipient has begun to watch an interview. */
  'share.watched': z.object({ ...share, ...named }),
  'share.decided': z.object({ ...share, ...named, verdict: z.enum(CLIENT_VERDICTS) }),
  'share.commented': z.object({ ...share, ...named }),
  'share.changed': z.object({
    ...share,
    /** `locked`: after too many wrong passcodes. `renewed`: the link was replaced. */
    change: z.enum(['extended', 'revoked', 'restored', 'closed', 'reopened', 'renewed', 'locked']),
    expiresAt: Moment,
  }),
  /** The link expires within two days and was never opened. */
  'share.expiring': z.object({ ...share, expiresAt: Moment }),

  /** The note about an interview was stored in the ATS, whose name is `ats`. */
  'ats.sent': z.object({ ...interview, ats: text, isUpdate: z.boolean() }),
  /** Recorded after the last attempt. `isUnclear`: the ATS may have the note. */
  'ats.failed': z.object({ ...interview, ats: text, reason: text, isUnclear: z.boolean() }),
  /** A note was requested, or its state changed before the end. */
  'ats.progressed': z.object({ ...interview, ats: text }),
  'ats-removal.refused': z.object({ ats: text, reason: text }),

  'candidate.exported': z.object({ interviewIds: list(text) }),
  'candidate.erased': z.object({
    /** The erasure is from before a backup that was restored. */
    isRepeated: z.boolean(),
    funnelIds: list(id),
    counts: z.object({
      interviews: z.int(),
      files: z.int(),
      transcripts: z.int(),
      summaries: z.int(),
      logEntries: z.int(),
      deletedInterviews: z.int(),
      publishedVideos: z.int(),
      atsNotes: z.int(),
    }),
  }),
  'video-removal.refused': z.object({ isErased: z.boolean(), url: text, reason: text }),

  'process.started': z.object({ roles: z.array(text), release: text }),
  'release.changed': z.object({ from: text, to: text, migrations: z.array(text) }),
  /** An interview service changed the shape of its responses. */
  'source.changed': z.object({ message: text }),
  /** An account has used half of its reading limit, or tried to exceed it. */
  'read-quota.used': z.object({ perHour: z.int(), isExceeded: z.boolean() }),
  'outage.observed': z.object({
    kind: z.enum(['database', 'database-full', 'database-unwritable', 'file-store', 'file-store-over', 'workers']),
    since: Moment,
    /** How long it has lasted so far. */
    seconds: z.number(),
    /** The machine, if the problem is its disk. */
    machine: text.nullable(),
    /** Why files cannot be stored. */
    reason: text.nullable(),
  }),
  'backup.made': z.object({
    path: text,
    rows: z.int(),
    files: z.int(),
    bytes: z.int(),
    withSecrets: z.boolean(),
    withFiles: z.boolean(),
    isEncrypted: z.boolean(),
  }),
  'backup.restored': z.object({ createdAt: text, release: text, restoredBy: text }),
  'files.moved': z.object({
    to: z.enum(['s3', 'local']),
    copied: z.int(),
    present: z.int(),
    missing: z.int(),
  }),
  /** The accounts have new notices, or have read some. */
  'notices.changed': z.object({ accountIds: list(id) }),
  /** The mail server has not accepted the mail within two days. */
  'mail.failed': z.object({ to: text, subject: text, reason: text, attempts: z.int() }),
  /** The sign-in at the applicant tracking system was renewed, or rejected. */
  'ats.connected': z.object({ name: text, account: text }),
  'ats.disconnected': z.object({ name: text, account: text }),
  'keys.rotated': z.object({ key: text.nullable(), apiKeys: z.int(), secondFactors: z.int(), unreadable: z.int() }),
};

export type EventName = keyof typeof EVENTS;
export type EventData<Name extends EventName> = z.infer<(typeof EVENTS)[Name]>;
