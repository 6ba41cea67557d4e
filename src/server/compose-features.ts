import type { Adapters } from './compose-adapters.ts';
import type { ComposeOptions, Infrastructure } from './compose-infrastructure.ts';
import type { Config } from './config/config.ts';
import { isReachable } from './config/config.ts';
import { findConnections, findSources } from './config/connections.ts';
import { type ConfiguredAts, ConnectedAts } from './features/ats/connected-ats.service.ts';
import { NoteRemoval } from './features/ats-pushes/note-removal.service.ts';
import { PUSH_RETRY } from './features/ats-pushes/push-retry.ts';
import { AtsPushes } from './features/ats-pushes/pushes.service.ts';
import { Automations } from './features/automation/automation.service.ts';
import { Bulk } from './features/bulk/bulk.service.ts';
import { Candidates } from './features/candidates/candidates.service.ts';
import { DeletedInterviews } from './features/erasure/deleted-interviews.service.ts';
import { ErasureList } from './features/erasure/erasure-list.service.ts';
import { Tombstones } from './features/erasure/tombstones.service.ts';
import { VideoRemoval } from './features/erasure/video-removal.service.ts';
import { Exports } from './features/exports/exports.service.ts';
import { ApiKeyVault } from './features/funnels/api-key-vault.ts';
import { Funnels } from './features/funnels/funnels.service.ts';
import { InterviewEdits } from './features/interviews/interview-edits.service.ts';
import { Interviews } from './features/interviews/interviews.service.ts';
import { Segments } from './features/interviews/segments/segments.service.ts';
import { Viewings } from './features/interviews/viewings.ts';
import { MAIL_RETRY, Mail } from './features/mail/mail.service.ts';
import { FileRemoval } from './features/media/file-removal.service.ts';
import { Media } from './features/media/media.service.ts';
import { RecordingJoin } from './features/media/recording-join.service.ts';
import { Notices } from './features/notices/notices.service.ts';
import { Metrics } from './features/operations/metrics.ts';
import { Outages } from './features/operations/outages.ts';
import { Readiness } from './features/operations/readiness.ts';
import { Setup } from './features/operations/setup.ts';
import { DeliveryWorker } from './features/outgoing-webhooks/delivery-worker.ts';
import { OutgoingWebhooks } from './features/outgoing-webhooks/outgoing-webhooks.service.ts';
import { DELIVERY_RETRY } from './features/outgoing-webhooks/retry-plan.ts';
import { stepJob } from './features/processing/processing.jobs.ts';
import { Processing } from './features/processing/processing.service.ts';
import { STEP_RETRY } from './features/processing/step-retry.ts';
import { PUBLISH_PACE } from './features/processing/until-ready.ts';
import { Comments } from './features/reviews/comments.service.ts';
import { Reviews } from './features/reviews/reviews.service.ts';
import { Scorecards } from './features/reviews/scorecards.service.ts';
import { SavedViews } from './features/saved-views/saved-views.service.ts';
import { AccountAdministration } from './features/session/accounts/account-administration.ts';
import { ApiTokens } from './features/session/api-tokens/api-tokens.service.ts';
import type { OidcOptions } from './features/session/oidc/oidc.ts';
import { Sessions } from './features/session/session.service.ts';
import { keyedHash } from './features/session/sessions/session-token.ts';
import { openSignIn } from './features/session/sign-in.service.ts';
import { CachedLinks } from './features/shares/cached-links.ts';
import { Guests } from './features/shares/guests.service.ts';
import { NewShare } from './features/shares/new-share.service.ts';
import { Shares } from './features/shares/shares.service.ts';
import { Sync } from './features/sync/sync.service.ts';
import { SyncWorker } from './features/sync/sync-worker.ts';
import { FOLDER_PACE, UploadFolder } from './features/uploads/upload-folder.ts';
import { UPLOAD_PACE, Uploads, type UploadsDeps } from './features/uploads/uploads.service.ts';
import { Webhooks } from './features/webhooks/webhooks.service.ts';
import type { IdentityProvider } from './ports/identity-provider.ts';
import { Sealer } from './secrets/sealer.ts';
import { SERVER_SOURCES } from './sources/sources.ts';

interface FeatureDeps {
  config: Config;
  infrastructure: Infrastructure;
  adapters: Adapters;
  configuredAts: ConfiguredAts | null;
  options: ComposeOptions;
}

/** The features that refreshes, steps and uploads are built on. */
type Records = ReturnType<typeof composeRecords>;

export type Features = ReturnType<typeof composeFeatures>;

/** Creates the features, each with the collaborators it needs. `opened` collects what to close. */
export function composeFeatures(deps: FeatureDeps, opened: AsyncDisposableStack) {
  const { config, infrastructure, options } = deps;
  const { db, bus, queue, runs, events } = infrastructure;
  const sealer = new Sealer(options.secrets.encryptionKeys);
  const mail = composeMail(deps, sealer);
  const ats = new ConnectedAts(deps.configuredAts, infrastructure.log);
  const records = composeRecords(deps, sealer);
  const { interviews, segments, funnels } = records;
  const processing = composeProcessing(deps, records);
  const links = new CachedLinks({ db, bus });
  const shares = new Shares({ db, events, mail, links, retentionDays: config.LOG_RETENTION_DAYS });
  const pushes = composePushes(deps, { interviews, shares });
  const edits = new InterviewEdits({ db, events, ats, destinationUrl: config.DESTINATION_URL });
  const bulk = new Bulk({ db, events, queue, runs, interviews, edits, pushes, processing });
  const sync = composeSync(deps, records);
  const { uploads, uploadFolder } = composeUploads(deps, records);
  opened.defer(async () => uploadFolder?.close());
  const automations = new Automations({ db, funnels, sync, segments, bulk, events });
  const webhooks = new Webhooks({ db, sealer, funnels, sync, automations, events, sources: SERVER_SOURCES });
  const notices = new Notices({ db, events, mail, origin: config.PUBLIC_URL?.[0]?.origin ?? null });
  events.connect({ automations, bulk, sync, uploads, notices });
  const outgoing = composeOutgoingWebhooks(deps, sealer);
  return {
    ...composeSessions(deps, { sealer, funnels, mail }),
    ...records,
    ...composeOperations(deps, { sync, funnels, ats, deliveries: outgoing.deliveryWorker }, opened),
    savedViews: new SavedViews(db),
    ...{ shares, pushes },
    newShare: new NewShare({ db, interviews }),
    guests: new Guests({ db, events, interviews, links, hash: keyedHash(options.secrets.sessionSecret) }),
    ...{ ats, edits, processing, bulk, sync, automations, uploads, uploadFolder, webhooks, mail, notices },
    ...composeReviews(deps, interviews),
    ...outgoing,
  };
}

function composeMail({ config, infrastructure, adapters, options }: FeatureDeps, sealer: Sealer): Mail {
  const { db, queue, events, log } = infrastructure;
  const retry = options.mailRetry ?? MAIL_RETRY;
  return new Mail({ db, queue, events, sealer, log, mailer: adapters.mailer, from: config.MAIL_FROM, retry });
}

function composeOutgoingWebhooks({ config, infrastructure, adapters, options }: FeatureDeps, sealer: Sealer) {
  const { db, bus, events, log } = infrastructure;
  const deps = { db, events, sealer, sender: adapters.webhookSender, origin: config.PUBLIC_URL?.[0]?.origin ?? null };
  const retry = options.deliveryRetry ?? DELIVERY_RETRY;
  return {
    outgoingWebhooks: new OutgoingWebhooks(deps),
    deliveryWorker: new DeliveryWorker({ ...deps, bus, log, retry }),
  };
}

function composePushes(
  { infrastructure, adapters, options }: FeatureDeps,
  deps: { interviews: Interviews; shares: Shares },
): AtsPushes {
  const { db, queue, runs, events, log } = infrastructure;
  const retry = options.pushRetry ?? PUSH_RETRY;
  return new AtsPushes({ db, queue, runs, events, log, ats: adapters.ats, retry, ...deps });
}

function composeReviews({ infrastructure: { db, events } }: FeatureDeps, interviews: Interviews) {
  const scorecards = new Scorecards({ db, events });
  const reviews = new Reviews({ db, events, scorecards });
  const comments = new Comments({ db, events, interviews, reviews });
  return { scorecards, reviews, comments, exports: new Exports({ db, events, interviews, reviews }) };
}

function composeSessions(
  { config, infrastructure, adapters, options }: FeatureDeps,
  { sealer, funnels, mail }: { sealer: Sealer; funnels: Funnels; mail: Mail },
) {
  const { db, bus, events, log } = infrastructure;
  const { breachedPasswords, identityProvider } = adapters;
  const hash = keyedHash(options.secrets.sessionSecret);
  const sessions = new Sessions({ db, bus, events, hash });
  const apiTokens = new ApiTokens({ db, bus, events, perMinute: config.API_QUOTA });
  const signIn = openSignIn({
    ...{ db, events, log, sessions, hash, sealer, breachedPasswords },
    isFactorRequired: config.SECOND_FACTOR === 'required',
    isReachable: isReachable(config),
    singleSignOn: findSingleSignOn(config, identityProvider),
  });
  const accounts = new AccountAdministration({
    ...{ db, events, funnels, mail, invitations: signIn.invitations },
    onRightsChanged: (accountId) => {
      sessions.evictAccount(accountId);
      apiTokens.evictAccount(accountId);
    },
  });
  return { sessions, apiTokens, signIn, accounts };
}

const findSingleSignOn = (config: Config, provider: IdentityProvider | null): OidcOptions | null =>
  provider && {
    provider,
    name: config.OIDC_NAME,
    roles: {
      claim: config.OIDC_ROLE_CLAIM ?? null,
      byGroup: config.OIDC_ROLE_MAP ?? new Map(),
      byDefault: config.OIDC_DEFAULT_ROLE,
    },
    createsAccounts: config.OIDC_CREATE,
    isOnly: config.OIDC_ONLY,
    breakGlass: config.OIDC_BREAK_GLASS,
  };

/** Interviews and funnels with their files, and the erasure of both. */
function composeRecords({ config, infrastructure, adapters }: FeatureDeps, sealer: Sealer) {
  const { db, queue, workers, events, log, claims } = infrastructure;
  const { files, source, downloader, inspector, recordings, videoHost, ats } = adapters;
  const tombstones = new Tombstones(sealer);
  const videoRemoval = new VideoRemoval({ db, queue, events, videoHost });
  const noteRemoval = new NoteRemoval({ db, queue, events, ats });
  const viewings = new Viewings({ db, events, log });
  const interviews = new Interviews({
    ...{ db, viewings, tombstones, destinationUrl: config.DESTINATION_URL },
    atsName: ats?.name ?? null,
    isPublicUrl: (url) => downloader.admits(url),
    isWaitingForWorker: (step) => workers.isMissing(stepJob(step).name),
  });
  const removal = new FileRemoval({ db, queue, files, interviews });
  const deletedInterviews = new DeletedInterviews({ db, tombstones, retentionDays: config.LOG_RETENTION_DAYS });
  const funnels = new Funnels({
    ...{ db, events, interviews, source, removal, videoRemoval, deletedInterviews },
    vault: new ApiKeyVault(sealer),
    sources: findSources(config),
  });
  const candidates = new Candidates({
    ...{ db, events, interviews, tombstones, deletedInterviews, removal, videoRemoval, noteRemoval },
    erasureList: new ErasureList(sealer, config.DATA_DIR),
  });
  const segments = new Segments(db, events);
  const join = new RecordingJoin({ db, segments, recordings, claims, queue, removal, log });
  const media = new Media({ db, interviews, source, downloader, removal, join, inspector, claims, events });
  return {
    ...{ interviews, segments, viewings, funnels, media, join, removal },
    ...{ candidates, deletedInterviews, videoRemoval, noteRemoval },
  };
}

function composeUploads({ config, infrastructure, adapters, options }: FeatureDeps, records: Records) {
  const { db, bus, queue, runs, events, log, claims } = infrastructure;
  const { files, intake, inspector } = adapters;
  const { interviews, funnels, removal } = records;
  const deps: UploadsDeps = {
    ...{ db, bus, events, queue, runs, claims, files, intake, inspector, interviews, funnels, removal },
    maxBytes: config.MAX_VIDEO_BYTES,
    budget: { perAccount: config.MAX_UPLOAD_BYTES_PER_ACCOUNT, inAll: config.MAX_UPLOAD_BYTES },
    pace: options.uploadPace ?? UPLOAD_PACE,
  };
  const folder = config.UPLOAD_FOLDER;
  const pace = options.folderPace ?? FOLDER_PACE;
  const uploadFolder = folder === undefined ? null : new UploadFolder({ ...deps, funnels, log, folder, pace });
  return { uploads: new Uploads(deps), uploadFolder };
}

function composeProcessing({ config, infrastructure, adapters, options }: FeatureDeps, records: Records): Processing {
  const { db, queue, runs, events, log } = infrastructure;
  const { files, source, recordings, videoHost, videoHostSetup, transcriber, summarizer } = adapters;
  const { interviews, segments, viewings, funnels, media, join, removal, videoRemoval } = records;
  return new Processing({
    ...{ db, queue, runs, events, log },
    ...{ files, source, recordings, videoHost, videoHostSetup, transcriber, summarizer },
    ...{ interviews, segments, viewings, funnels, media, join, removal, videoRemoval },
    videoTexts: { title: config.YOUTUBE_TITLE, description: config.YOUTUBE_DESCRIPTION },
    retry: options.stepRetry ?? STEP_RETRY,
    pace: options.publishPace ?? PUBLISH_PACE,
    concurrency: {
      convert: config.CONVERT_CONCURRENCY,
      transcribe: config.TRANSCRIBE_CONCURRENCY,
      summarize: config.SUMMARIZE_CONCURRENCY,
    },
  });
}

function composeSync({ config, infrastructure, adapters }: FeatureDeps, records: Records): Sync {
  const { db, bus, queue, runs, workers, events, log } = infrastructure;
  const { interviews, segments, funnels, media, removal } = records;
  const worker = new SyncWorker({
    ...{ db, runs, events, log, interviews, segments, funnels, media, removal },
    source: adapters.source,
    concurrency: config.DOWNLOAD_CONCURRENCY,
    onCancel: (listener) => bus.on('sync-cancel', listener),
  });
  return new Sync({ db, funnels, events, queue, workers, worker, sources: findSources(config) });
}

function composeOperations(
  { config, infrastructure, adapters }: FeatureDeps,
  { sync, funnels, ats, deliveries }: { sync: Sync; funnels: Funnels; ats: ConnectedAts; deliveries: DeliveryWorker },
  opened: AsyncDisposableStack,
) {
  const { connection, db, bus, queue, workers, sockets, logs, events, log } = infrastructure;
  const { files } = adapters;
  const roles = config.ROLES;
  const readiness = new Readiness({ pool: connection.pool, queue, workers, files, roles });
  const outages = new Outages({ db, bus, workers, events, log, files });
  opened.defer(() => outages.close());
  const metrics = config.METRICS_TOKEN
    ? new Metrics({ connection, bus, queue, workers, logs, sockets, files, sync, deliveries, roles })
    : null;
  opened.defer(() => metrics?.close());
  const setup = new Setup({ funnels, sync, ats, connections: findConnections(config), sources: findSources(config) });
  return { readiness, outages, metrics, setup };
}
