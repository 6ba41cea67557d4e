import type { EventData } from '#contracts/events.ts';
import type { RefreshMessageType } from '#contracts/live.ts';
import { type Step, type StepEvent, stepMessageType } from '#contracts/rules/steps.ts';
import type { Executor } from './db/database.ts';
import { type Announcement, Events, type EventTable } from './events/events.ts';
import * as atsLog from './features/ats/ats-log.ts';
import * as pushesLog from './features/ats-pushes/pushes-log.ts';
import type { Automations } from './features/automation/automation.service.ts';
import * as automationLog from './features/automation/automation-log.ts';
import type { Bulk } from './features/bulk/bulk.service.ts';
import * as bulkLog from './features/bulk/bulk-log.ts';
import * as candidatesLog from './features/candidates/candidates-log.ts';
import * as erasureLog from './features/erasure/erasure-log.ts';
import * as exportsLog from './features/exports/exports-log.ts';
import * as funnelsLog from './features/funnels/funnels-log.ts';
import * as interviewsLog from './features/interviews/interviews-log.ts';
import { writeEntry } from './features/logs/write-entry.ts';
import * as mailLog from './features/mail/mail-log.ts';
import * as mediaLog from './features/media/media-log.ts';
import * as eventNotices from './features/notices/event-notices.ts';
import type { Notices } from './features/notices/notices.service.ts';
import * as operationsLog from './features/operations/operations-log.ts';
import * as outgoingWebhooksLog from './features/outgoing-webhooks/outgoing-webhooks-log.ts';
import * as publicEvents from './features/outgoing-webhooks/public-events.ts';
import { reportEvent } from './features/outgoing-webhooks/report-event.ts';
import * as processingLog from './features/processing/processing-log.ts';
import * as reviewsLog from './features/reviews/reviews-log.ts';
import * as oidcLog from './features/session/oidc/oidc-log.ts';
import * as sessionLog from './features/session/session-log.ts';
import { EXPIRED, sessionsOf } from './features/session/sessions/session-events.ts';
import * as sharesLog from './features/shares/shares-log.ts';
import type { Sync } from './features/sync/sync.service.ts';
import * as syncLog from './features/sync/sync-log.ts';
import type { Uploads } from './features/uploads/uploads.service.ts';
import * as uploadsLog from './features/uploads/uploads-log.ts';
import * as webhooksLog from './features/webhooks/webhooks-log.ts';
import { formatFunnels } from './live/announced-funnels.ts';

/** The features that react to events. */
export interface Reactors {
  automations: Pick<Automations, 'lock' | 'onFunnelUpdated' | 'onInterviewsAdded' | 'onRunEnded'>;
  bulk: Pick<Bulk, 'afterPushEnd' | 'afterStepEnd'>;
  notices: Pick<Notices, 'notify'>;
  sync: Pick<Sync, 'startQueued' | 'stopForFunnel'>;
  uploads: Pick<Uploads, 'deleteOfFunnel'>;
}

const funnelChange = ({ funnelId }: { funnelId: number }): Announcement[] => [['funnels', String(funnelId)]];
const interviewsChange = (funnelIds: readonly number[]): Announcement => ['interviews', formatFunnels(funnelIds)];
const contentChange = ({ funnelId }: { funnelId: number }): Announcement[] => [
  ...funnelChange({ funnelId }),
  interviewsChange([funnelId]),
];
const interviewEdit = ({ interviewId, funnelId }: { interviewId: string; funnelId: number }): Announcement[] => [
  ['edit', `${funnelId} ${interviewId}`],
];
const commentsChange = ({ interviewId, funnelId }: { interviewId: string; funnelId: number }): Announcement[] => [
  ['comments', `${funnelId} ${interviewId}`],
];
/** `changed` are funnels in addition to the one that is refreshed. */
const refreshChange = (type: RefreshMessageType, changed: readonly number[] | null = []): Announcement => [
  'sync',
  changed?.length === 0 ? type : `${type} ${formatFunnels(changed)}`,
];
const ownMark = ({ accountId, interviewId }: { accountId: number | null; interviewId: string }): Announcement[] => [
  ['own-mark', `${accountId} ${interviewId}`],
];
/** The account's own browsers show its decision, all browsers the number of reviews. */
const reviewChange = (data: EventData<'review.submitted' | 'review.withdrawn'>): Announcement[] => [
  ...ownMark(data),
  ['reviews', `${data.funnelId} ${data.interviewId}`],
];
const bulkProgress = ({ bulkRunId }: { bulkRunId: number }): Announcement[] => [['bulk', String(bulkRunId)]];
const stepMessage = ({ step, interviewId }: { step: Step; interviewId: string }, event: StepEvent) =>
  `${stepMessageType(step, event)} ${interviewId}`;
const shareChange = ({ funnelIds }: { funnelIds: readonly number[] }): Announcement[] => [
  ['shares', formatFunnels(funnelIds)],
];
const deviceChange = (accountId: number): Announcement => ['devices', String(accountId)];

/** Notifies the accounts that the event concerns. */
const notify =
  <Data>(noticesOf: (data: Data) => Parameters<Notices['notify']>[1]) =>
  ({ notices }: Reactors, tx: Executor, data: Data) =>
    notices.notify(tx, noticesOf(data));

/** The consequences of each event. */
const EVENT_TABLE: EventTable<Reactors, publicEvents.PublicEvent> = {
  // Every process reads the rights of open sessions again.
  'account.changed': {
    log: sessionLog.accountChangedEntry,
    live: ({ accountId }) => (accountId === undefined ? [] : [['session', sessionsOf(accountId)]]),
  },
  'own-account.changed': { log: sessionLog.ownAccountChangedEntry },
  'api-token.created': { log: sessionLog.createdTokenEntry },
  // Every process reads the tokens of the account again.
  'api-token.revoked': {
    log: sessionLog.revokedTokenEntry,
    live: ({ accountId }) => [['session', sessionsOf(accountId)]],
  },
  'default-credentials.found': { log: sessionLog.defaultCredentialsEntry },
  'sign-in.succeeded': { log: sessionLog.signedInEntry },
  'single-sign-on.succeeded': { log: oidcLog.signedOnEntry },
  'single-sign-on.refused': { log: oidcLog.refusedSignOnEntry },
  'single-sign-on.ended': { log: oidcLog.endedSignOnEntry },
  'identity.linked': { log: oidcLog.linkedIdentityEntry },
  'logout-token.refused': { log: oidcLog.refusedLogoutEntry },
  'sign-in.pending': { log: sessionLog.passwordAcceptedEntry },
  'sign-in.failed': { log: sessionLog.failedSignInEntry },
  'proof.failed': { log: sessionLog.failedProofEntry },
  'session.started': { live: ({ accountId }) => [deviceChange(accountId)] },
  'session.ended': {
    log: sessionLog.sessionEndedEntry,
    live: ({ sessionId, account }) => [['session', sessionId], ...(account ? [deviceChange(account.id)] : [])],
  },
  'sessions.ended': {
    log: sessionLog.signedOutEverywhereEntry,
    live: ({ accountId }) => [['session', sessionsOf(accountId)]],
  },
  'sessions.expired': {
    log: sessionLog.sessionsExpiredEntries,
    live: ({ sessions }) => [
      ['session', EXPIRED],
      ...[...new Set(sessions.map(({ accountId }) => accountId))].map(deviceChange),
    ],
  },

  'funnel.change-requested': { react: ({ sync }, _, { funnelId }) => sync.stopForFunnel(funnelId) },
  'funnel.changed': {
    log: funnelsLog.funnelEntry,
    live: ({ funnelId, deactivatedId }) => [['funnels', formatFunnels([funnelId, deactivatedId ?? funnelId])]],
    react: async ({ automations }, tx, data) => {
      if (data.change === 'updated') await automations.onFunnelUpdated(tx, data);
    },
  },
  'funnel.deleted': {
    log: funnelsLog.deletionEntry,
    live: contentChange,
    react: ({ uploads }, tx, { funnelId }) => uploads.deleteOfFunnel(tx, funnelId),
  },
  'funnel.restored': { log: funnelsLog.restoredFunnelEntry, live: contentChange },
  'api-key.revealed': { log: funnelsLog.revealedKeyEntry },

  'interview.archived': { log: interviewsLog.archiveEntry, webhook: publicEvents.archivedEvent, live: interviewEdit },
  'interview.unarchived': { log: interviewsLog.unarchiveEntry, live: interviewEdit },
  'interview.edited': { log: interviewsLog.editTextEntry, webhook: publicEvents.editedEvent, live: interviewEdit },
  'interview.linked': { log: interviewsLog.destinationEntry, webhook: publicEvents.sentEvent, live: interviewEdit },
  'failures.dismissed': { log: interviewsLog.dismissEntry, live: interviewEdit },
  'answer.marked': { log: interviewsLog.markAnswerEntry },
  'review.submitted': { log: reviewsLog.submitReviewEntry, webhook: publicEvents.reviewEvent, live: reviewChange },
  'review.withdrawn': { log: reviewsLog.withdrawReviewEntry, live: reviewChange },
  'reviews.opened': { log: reviewsLog.openReviewsEntry },
  'comment.added': { log: reviewsLog.addCommentEntry, live: commentsChange, react: notify(eventNotices.mentionNotice) },
  'comment.changed': {
    log: reviewsLog.changeCommentEntry,
    live: commentsChange,
    react: notify(eventNotices.mentionNotice),
  },
  'comment.deleted': { log: reviewsLog.deleteCommentEntry, live: commentsChange },
  'scorecard.changed': { log: reviewsLog.scorecardEntry, live: funnelChange },
  'interview.unwatched': { live: ownMark },
  'recordings.joined': { live: interviewEdit },
  'recording.loaded': { log: interviewsLog.loadEntry },
  'recording.played': { log: interviewsLog.playEntry },
  'transcripts.read': { log: interviewsLog.readTranscriptsEntry },
  'interviews.exported': { log: exportsLog.exportInterviewsEntry },
  'interviews.printed': { log: exportsLog.printInterviewsEntry },
  'transcript.exported': { log: interviewsLog.exportTranscriptEntry },
  'virus.found': { log: mediaLog.virusFoundEntry },

  'automation.resumed': { log: automationLog.resumeEntry, live: funnelChange },
  'automation.paused': { quotes: () => true, log: automationLog.pauseEntry, live: funnelChange },
  'awaited-interviews.started': { live: funnelChange },
  'webhook.created': { log: webhooksLog.createdWebhookEntry, live: funnelChange },
  'webhook.revealed': { log: webhooksLog.revealedWebhookEntry },
  'webhook.signing-secret-stored': { log: webhooksLog.storedSecretEntry },
  'webhook-events.refused': { log: webhooksLog.refusedEventsEntry },

  'outgoing-webhook.changed': {
    log: outgoingWebhooksLog.changedOutgoingWebhookEntry,
    react: notify(eventNotices.pausedNotice),
  },

  'interview.added': {
    react: ({ automations }, tx, added) => automations.onInterviewsAdded(tx, added),
    webhook: publicEvents.addedEvent,
  },
  'upload.added': {
    log: uploadsLog.uploadedEntry,
    live: (data) => [interviewsChange([data.funnelId]), ...funnelChange(data)],
  },
  'upload.canceled': { log: uploadsLog.canceledUploadEntry },
  'upload.refused': { quotes: () => true, log: uploadsLog.refusedUploadEntry },
  'uploads.expired': { log: uploadsLog.idleUploadsEntry },
  'upload-folder.changed': { quotes: () => true, log: uploadsLog.uploadFolderEntry },

  'refresh.started': { live: () => [refreshChange('refresh-status')] },
  'refresh.canceled': {
    log: syncLog.cancelEntry,
    live: ({ funnelId }) => [refreshChange('refresh-status', [funnelId])],
  },
  'refresh-errors.dismissed': { live: ({ funnelIds }) => [refreshChange('refresh-status', funnelIds)] },
  'run.started': { log: syncLog.startEntry },
  'run.progressed': { live: ({ cause }) => (cause === 'user' ? [refreshChange('refresh-progress')] : []) },
  'run.cancel-requested': { live: ({ runId }) => [['sync-cancel', runId]] },
  'run.ending': { react: ({ automations }, tx, { funnelId }) => automations.lock(tx, funnelId) },
  'run.ended': {
    quotes: ({ error, failures }) => error !== null || failures.length > 0,
    log: syncLog.endEntry,
    webhook: publicEvents.refreshEvent,
    react: async ({ automations, sync }, tx, run) => {
      await automations.onRunEnded(tx, run);
      return run.cause === 'user' && sync.startQueued(tx);
    },
    // Browsers show the progress of users' runs. After other runs they reload their lists.
    live: (run, isContinued) => {
      if (run.cause !== 'user') return funnelChange(run);
      const end = run.status === 'completed' ? 'refresh-completed' : 'refresh-error';
      return [refreshChange(isContinued ? 'refresh-progress' : end, [run.funnelId])];
    },
  },

  'step.started': { log: processingLog.stepStartEntry, live: (data) => [['step', stepMessage(data, 'progress')]] },
  'step.progressed': { live: (data) => [['step', stepMessage(data, 'progress')]] },
  'step.ended': {
    log: processingLog.stepEndEntry,
    webhook: publicEvents.stepEvent,
    react: ({ bulk }, tx, ended) => bulk.afterStepEnd(tx, ended),
    live: (ended, isContinued) => {
      const message = stepMessage(ended, ended.error === null ? 'completed' : 'failed');
      return [[isContinued ? 'step-of-bulk' : 'step', message]];
    },
  },
  'step.replaced': { react: ({ bulk }, tx, step) => bulk.afterStepEnd(tx, { ...step, error: null }) },

  'bulk-run.started': { live: bulkProgress },
  'bulk-run.applied': {
    log: bulkLog.batchEntry,
    webhook: publicEvents.bulkEvent,
    live: ({ interviews, ...run }) => [
      interviewsChange(interviews.map(({ funnelId }) => funnelId)),
      ...bulkProgress(run),
    ],
  },
  'bulk-run.progressed': { live: bulkProgress },
  'bulk-run.withdrew': { live: ({ funnelIds, ...run }) => [interviewsChange(funnelIds), ...bulkProgress(run)] },
  'bulk-run.cancel-requested': { log: bulkLog.cancelEntry, live: bulkProgress },
  'bulk-run.ended': { quotes: () => true, log: bulkLog.endEntry, live: bulkProgress },

  'share.created': { quotes: () => true, log: sharesLog.createdSharesEntry, live: shareChange },
  'share.opened': {
    quotes: () => true,
    log: sharesLog.openedShareEntry,
    webhook: publicEvents.openedEvent,
    live: shareChange,
    react: notify(eventNotices.openedNotice),
  },
  'share.watched': { quotes: () => true, log: sharesLog.watchedShareEntry, live: shareChange },
  'share.decided': {
    quotes: () => true,
    log: sharesLog.decidedShareEntry,
    webhook: publicEvents.decidedEvent,
    live: shareChange,
    react: notify(eventNotices.verdictNotice),
  },
  'share.commented': { live: shareChange },
  'share.changed': { quotes: () => true, log: sharesLog.changedShareEntry, live: shareChange },
  'share.expiring': {
    quotes: () => true,
    log: sharesLog.expiringShareEntry,
    react: notify(eventNotices.expiringNotice),
  },

  'ats.sent': {
    log: pushesLog.sentEntry,
    webhook: publicEvents.atsSentEvent,
    live: interviewEdit,
    react: ({ bulk }, tx, { interviewId }) => bulk.afterPushEnd(tx, { interviewId, error: null }),
  },
  'ats.failed': {
    quotes: () => true,
    log: pushesLog.failedEntry,
    webhook: publicEvents.atsFailedEvent,
    live: interviewEdit,
    react: ({ bulk }, tx, { interviewId, reason }) => bulk.afterPushEnd(tx, { interviewId, error: reason }),
  },
  'ats.progressed': { live: interviewEdit },
  'ats-removal.refused': { quotes: () => true, log: pushesLog.removalRefusedEntry },

  'candidate.exported': { log: candidatesLog.exportEntry },
  'candidate.erased': { log: candidatesLog.erasureEntry, live: ({ funnelIds }) => [interviewsChange(funnelIds)] },
  'video-removal.refused': { quotes: () => true, log: erasureLog.removalRefusedEntry },

  'process.started': { log: operationsLog.startEntry },
  'release.changed': { log: operationsLog.releaseChangedEntry },
  'source.changed': { quotes: () => true, log: operationsLog.sourceChangedEntry },
  'read-quota.used': { log: operationsLog.readQuotaEntry },
  'outage.observed': { quotes: () => true, log: operationsLog.outageEntry, onceWithin: operationsLog.sameOutageMs },
  'backup.made': { log: operationsLog.backupEntry },
  'backup.restored': { log: operationsLog.restoreEntry },
  'files.moved': { log: operationsLog.moveFilesEntry },
  'notices.changed': { live: ({ accountIds }) => accountIds.map((id) => ['notices', String(id)]) },
  'mail.failed': { quotes: () => true, log: mailLog.mailFailedEntry },
  'ats.connected': { log: atsLog.atsConnectedEntry },
  'ats.disconnected': { log: atsLog.atsDisconnectedEntry },
  'keys.rotated': { log: operationsLog.rotationEntry },
};

/** Reactions need `connect`, which commands do not call. */
export const createEvents = () => new Events(EVENT_TABLE, { writeEntry, reportEvent });
