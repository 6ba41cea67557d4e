import type { EventData } from '#contracts/events.ts';
import type { RefreshMessageType } from '#contracts/live.ts';
import { type Step, type StepEvent, stepMessageType } from '#contracts/rules/steps.ts';
import type { Executor } from './db/database.ts';
import { type Announcement, Events, type EventTable } from './events/events.ts';
import { atsConnectedEntry, atsDisconnectedEntry } from './features/ats/ats-log.ts';
import { failedEntry, removalRefusedEntry as noteRefusedEntry, sentEntry } from './features/ats-pushes/pushes-log.ts';
import type { Automations } from './features/automation/automation.service.ts';
import { pauseEntry, resumeEntry } from './features/automation/automation-log.ts';
import type { Bulk } from './features/bulk/bulk.service.ts';
import { batchEntry, cancelEntry as cancelBulkEntry, endEntry as endBulkEntry } from './features/bulk/bulk-log.ts';
import { erasureEntry, exportEntry } from './features/candidates/candidates-log.ts';
import { removalRefusedEntry } from './features/erasure/erasure-log.ts';
import { exportInterviewsEntry, printInterviewsEntry } from './features/exports/exports-log.ts';
import { deletionEntry, funnelEntry, restoredFunnelEntry, revealedKeyEntry } from './features/funnels/funnels-log.ts';
import {
  archiveEntry,
  destinationEntry,
  dismissEntry,
  editTextEntry,
  exportTranscriptEntry,
  loadEntry,
  markAnswerEntry,
  playEntry,
  readTranscriptsEntry,
  unarchiveEntry,
} from './features/interviews/interviews-log.ts';
import { writeEntry } from './features/logs/write-entry.ts';
import { mailFailedEntry } from './features/mail/mail-log.ts';
import { virusFoundEntry } from './features/media/media-log.ts';
import {
  expiringNotice,
  mentionNotice,
  openedNotice,
  pausedNotice,
  verdictNotice,
} from './features/notices/event-notices.ts';
import type { Notices } from './features/notices/notices.service.ts';
import {
  backupEntry,
  moveFilesEntry,
  outageEntry,
  readQuotaEntry,
  releaseChangedEntry,
  restoreEntry,
  rotationEntry,
  sameOutageMs,
  sourceChangedEntry,
  startEntry,
} from './features/operations/operations-log.ts';
import { changedOutgoingWebhookEntry } from './features/outgoing-webhooks/outgoing-webhooks-log.ts';
import {
  addedEvent,
  archivedEvent,
  atsFailedEvent,
  atsSentEvent,
  bulkEvent,
  decidedEvent,
  editedEvent,
  openedEvent,
  type PublicEvent,
  refreshEvent,
  reviewEvent,
  sentEvent,
  stepEvent,
} from './features/outgoing-webhooks/public-events.ts';
import { reportEvent } from './features/outgoing-webhooks/report-event.ts';
import { stepEndEntry, stepStartEntry } from './features/processing/processing-log.ts';
import {
  addCommentEntry,
  changeCommentEntry,
  deleteCommentEntry,
  openReviewsEntry,
  scorecardEntry,
  submitReviewEntry,
  withdrawReviewEntry,
} from './features/reviews/reviews-log.ts';
import {
  endedSignOnEntry,
  linkedIdentityEntry,
  refusedLogoutEntry,
  refusedSignOnEntry,
  signedOnEntry,
} from './features/session/oidc/oidc-log.ts';
import {
  accountChangedEntry,
  createdTokenEntry,
  defaultCredentialsEntry,
  failedProofEntry,
  failedSignInEntry,
  ownAccountChangedEntry,
  passwordAcceptedEntry,
  revokedTokenEntry,
  sessionEndedEntry,
  sessionsExpiredEntries,
  signedInEntry,
  signedOutEverywhereEntry,
} from './features/session/session-log.ts';
import { EXPIRED, sessionsOf } from './features/session/sessions/session-events.ts';
import {
  changedShareEntry,
  createdSharesEntry,
  decidedShareEntry,
  expiringShareEntry,
  openedShareEntry,
  watchedShareEntry,
} from './features/shares/shares-log.ts';
import type { Sync } from './features/sync/sync.service.ts';
import {
  cancelEntry as cancelRefreshEntry,
  endEntry as endRefreshEntry,
  startEntry as startRefreshEntry,
} from './features/sync/sync-log.ts';
import type { Uploads } from './features/uploads/uploads.service.ts';
import {
  canceledUploadEntry,
  idleUploadsEntry,
  refusedUploadEntry,
  uploadedEntry,
  uploadFolderEntry,
} from './features/uploads/uploads-log.ts';
import {
  createdWebhookEntry,
  refusedEventsEntry,
  revealedWebhookEntry,
  storedSecretEntry,
} from './features/webhooks/webhooks-log.ts';
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
const EVENT_TABLE: EventTable<Reactors, PublicEvent> = {
  // Every process reads the rights of open sessions again.
  'account.changed': {
    log: accountChangedEntry,
    live: ({ accountId }) => (accountId === undefined ? [] : [['session', sessionsOf(accountId)]]),
  },
  'own-account.changed': { log: ownAccountChangedEntry },
  'api-token.created': { log: createdTokenEntry },
  // Every process reads the tokens of the account again.
  'api-token.revoked': { log: revokedTokenEntry, live: ({ accountId }) => [['session', sessionsOf(accountId)]] },
  'default-credentials.found': { log: defaultCredentialsEntry },
  'sign-in.succeeded': { log: signedInEntry },
  'single-sign-on.succeeded': { log: signedOnEntry },
  'single-sign-on.refused': { log: refusedSignOnEntry },
  'single-sign-on.ended': { log: endedSignOnEntry },
  'identity.linked': { log: linkedIdentityEntry },
  'logout-token.refused': { log: refusedLogoutEntry },
  'sign-in.pending': { log: passwordAcceptedEntry },
  'sign-in.failed': { log: failedSignInEntry },
  'proof.failed': { log: failedProofEntry },
  'session.started': { live: ({ accountId }) => [deviceChange(accountId)] },
  'session.ended': {
    log: sessionEndedEntry,
    live: ({ sessionId, account }) => [['session', sessionId], ...(account ? [deviceChange(account.id)] : [])],
  },
  'sessions.ended': {
    log: signedOutEverywhereEntry,
    live: ({ accountId }) => [['session', sessionsOf(accountId)]],
  },
  'sessions.expired': {
    log: sessionsExpiredEntries,
    live: ({ sessions }) => [
      ['session', EXPIRED],
      ...[...new Set(sessions.map(({ accountId }) => accountId))].map(deviceChange),
    ],
  },

  'funnel.change-requested': { react: ({ sync }, _, { funnelId }) => sync.stopForFunnel(funnelId) },
  'funnel.changed': {
    log: funnelEntry,
    live: ({ funnelId, deactivatedId }) => [['funnels', formatFunnels([funnelId, deactivatedId ?? funnelId])]],
    react: async ({ automations }, tx, data) => {
      if (data.change === 'updated') await automations.onFunnelUpdated(tx, data);
    },
  },
  'funnel.deleted': {
    log: deletionEntry,
    live: contentChange,
    react: ({ uploads }, tx, { funnelId }) => uploads.deleteOfFunnel(tx, funnelId),
  },
  'funnel.restored': { log: restoredFunnelEntry, live: contentChange },
  'api-key.revealed': { log: revealedKeyEntry },

  'interview.archived': { log: archiveEntry, webhook: archivedEvent, live: interviewEdit },
  'interview.unarchived': { log: unarchiveEntry, live: interviewEdit },
  'interview.edited': { log: editTextEntry, webhook: editedEvent, live: interviewEdit },
  'interview.linked': { log: destinationEntry, webhook: sentEvent, live: interviewEdit },
  'failures.dismissed': { log: dismissEntry, live: interviewEdit },
  'answer.marked': { log: markAnswerEntry },
  'review.submitted': { log: submitReviewEntry, webhook: reviewEvent, live: reviewChange },
  'review.withdrawn': { log: withdrawReviewEntry, live: reviewChange },
  'reviews.opened': { log: openReviewsEntry },
  'comment.added': { log: addCommentEntry, live: commentsChange, react: notify(mentionNotice) },
  'comment.changed': { log: changeCommentEntry, live: commentsChange, react: notify(mentionNotice) },
  'comment.deleted': { log: deleteCommentEntry, live: commentsChange },
  'scorecard.changed': { log: scorecardEntry, live: funnelChange },
  'interview.unwatched': { live: ownMark },
  'recordings.joined': { live: interviewEdit },
  'recording.loaded': { log: loadEntry },
  'recording.played': { log: playEntry },
  'transcripts.read': { log: readTranscriptsEntry },
  'interviews.exported': { log: exportInterviewsEntry },
  'interviews.printed': { log: printInterviewsEntry },
  'transcript.exported': { log: exportTranscriptEntry },
  'virus.found': { log: virusFoundEntry },

  'automation.resumed': { log: resumeEntry, live: funnelChange },
  'automation.paused': { quotes: () => true, log: pauseEntry, live: funnelChange },
  'awaited-interviews.started': { live: funnelChange },
  'webhook.created': { log: createdWebhookEntry, live: funnelChange },
  'webhook.revealed': { log: revealedWebhookEntry },
  'webhook.signing-secret-stored': { log: storedSecretEntry },
  'webhook-events.refused': { log: refusedEventsEntry },

  'outgoing-webhook.changed': { log: changedOutgoingWebhookEntry, react: notify(pausedNotice) },

  'interview.added': {
    react: ({ automations }, tx, added) => automations.onInterviewsAdded(tx, added),
    webhook: addedEvent,
  },
  'upload.added': { log: uploadedEntry, live: (data) => [interviewsChange([data.funnelId]), ...funnelChange(data)] },
  'upload.canceled': { log: canceledUploadEntry },
  'upload.refused': { quotes: () => true, log: refusedUploadEntry },
  'uploads.expired': { log: idleUploadsEntry },
  'upload-folder.changed': { quotes: () => true, log: uploadFolderEntry },

  'refresh.started': { live: () => [refreshChange('refresh-status')] },
  'refresh.canceled': {
    log: cancelRefreshEntry,
    live: ({ funnelId }) => [refreshChange('refresh-status', [funnelId])],
  },
  'refresh-errors.dismissed': { live: ({ funnelIds }) => [refreshChange('refresh-status', funnelIds)] },
  'run.started': { log: startRefreshEntry },
  'run.progressed': { live: ({ cause }) => (cause === 'user' ? [refreshChange('refresh-progress')] : []) },
  'run.cancel-requested': { live: ({ runId }) => [['sync-cancel', runId]] },
  'run.ending': { react: ({ automations }, tx, { funnelId }) => automations.lock(tx, funnelId) },
  'run.ended': {
    quotes: ({ error, failures }) => error !== null || failures.length > 0,
    log: endRefreshEntry,
    webhook: refreshEvent,
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

  'step.started': { log: stepStartEntry, live: (data) => [['step', stepMessage(data, 'progress')]] },
  'step.progressed': { live: (data) => [['step', stepMessage(data, 'progress')]] },
  'step.ended': {
    log: stepEndEntry,
    webhook: stepEvent,
    react: ({ bulk }, tx, ended) => bulk.afterStepEnd(tx, ended),
    live: (ended, isContinued) => {
      const message = stepMessage(ended, ended.error === null ? 'completed' : 'failed');
      return [[isContinued ? 'step-of-bulk' : 'step', message]];
    },
  },
  'step.replaced': { react: ({ bulk }, tx, step) => bulk.afterStepEnd(tx, { ...step, error: null }) },

  'bulk-run.started': { live: bulkProgress },
  'bulk-run.applied': {
    log: batchEntry,
    webhook: bulkEvent,
    live: ({ interviews, ...run }) => [
      interviewsChange(interviews.map(({ funnelId }) => funnelId)),
      ...bulkProgress(run),
    ],
  },
  'bulk-run.progressed': { live: bulkProgress },
  'bulk-run.withdrew': { live: ({ funnelIds, ...run }) => [interviewsChange(funnelIds), ...bulkProgress(run)] },
  'bulk-run.cancel-requested': { log: cancelBulkEntry, live: bulkProgress },
  'bulk-run.ended': { quotes: () => true, log: endBulkEntry, live: bulkProgress },

  'share.created': { quotes: () => true, log: createdSharesEntry, live: shareChange },
  'share.opened': {
    quotes: () => true,
    log: openedShareEntry,
    webhook: openedEvent,
    live: shareChange,
    react: notify(openedNotice),
  },
  'share.watched': { quotes: () => true, log: watchedShareEntry, live: shareChange },
  'share.decided': {
    quotes: () => true,
    log: decidedShareEntry,
    webhook: decidedEvent,
    live: shareChange,
    react: notify(verdictNotice),
  },
  'share.commented': { live: shareChange },
  'share.changed': { quotes: () => true, log: changedShareEntry, live: shareChange },
  'share.expiring': { quotes: () => true, log: expiringShareEntry, react: notify(expiringNotice) },

  'ats.sent': {
    log: sentEntry,
    webhook: atsSentEvent,
    live: interviewEdit,
    react: ({ bulk }, tx, { interviewId }) => bulk.afterPushEnd(tx, { interviewId, error: null }),
  },
  'ats.failed': {
    quotes: () => true,
    log: failedEntry,
    webhook: atsFailedEvent,
    live: interviewEdit,
    react: ({ bulk }, tx, { interviewId, reason }) => bulk.afterPushEnd(tx, { interviewId, error: reason }),
  },
  'ats.progressed': { live: interviewEdit },
  'ats-removal.refused': { quotes: () => true, log: noteRefusedEntry },

  'candidate.exported': { log: exportEntry },
  'candidate.erased': { log: erasureEntry, live: ({ funnelIds }) => [interviewsChange(funnelIds)] },
  'video-removal.refused': { quotes: () => true, log: removalRefusedEntry },

  'process.started': { log: startEntry },
  'release.changed': { log: releaseChangedEntry },
  'source.changed': { quotes: () => true, log: sourceChangedEntry },
  'read-quota.used': { log: readQuotaEntry },
  'outage.observed': { quotes: () => true, log: outageEntry, onceWithin: sameOutageMs },
  'backup.made': { log: backupEntry },
  'backup.restored': { log: restoreEntry },
  'files.moved': { log: moveFilesEntry },
  'notices.changed': { live: ({ accountIds }) => accountIds.map((id) => ['notices', String(id)]) },
  'mail.failed': { quotes: () => true, log: mailFailedEntry },
  'ats.connected': { log: atsConnectedEntry },
  'ats.disconnected': { log: atsDisconnectedEntry },
  'keys.rotated': { log: rotationEntry },
};

/** Reactions need `connect`, which commands do not call. */
export const createEvents = () => new Events(EVENT_TABLE, { writeEntry, reportEvent });
