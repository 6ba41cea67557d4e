import type { Adapters } from './compose-adapters.ts';
import type { ComposeOptions, Infrastructure } from './compose-infrastructure.ts';
import type { Config } from './config/config.ts';
import { isReachable } from './config/config.ts';
import { findConnections, findSources } from './config/connections.ts';
import { type ConfiguredAts, ConnectedAts } from './features/ats/connected-ats.service.ts';
import { NoteRemoval } from './features/ats-pushes/note-removal.service.ts';
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
import { Mail } from './features/mail/mail.service.ts';
import { FileRemoval } from './features/media/file-removal.service.ts';
import { Media } from './features/media/media.service.ts';
import { RecordingJoin } from './features/media/recording-join.service.ts';
import { Notices } from './features/notices/notices.service.ts';
import { Metrics } from './features/operations/metrics.ts';
import { Outages } from './features/operations/outages.ts';
import { Readiness } from './features/operations/readiness.ts';
import { findSetup } from './features/operations/setup.ts';
import { DeliveryWorker } from './features/outgoing-webhooks/delivery-worker.ts';
import { OutgoingWebhooks } from './features/outgoing-webhooks/outgoing-webhooks.service.ts';
import { Processing } from './features/processing/processing.service.ts';
import { stepJob } from './features/processing/step-transitions.ts';
import { Comments } from './features/reviews/comments.service.ts';
import { Reviews } from './features/reviews/reviews.service.ts';
import { Scorecards } from './features/reviews/scorecards.service.ts';
import { SavedViews } from './features/saved-views/saved-views.service.ts';
import { AccountAdministration } from './features/session/accounts/account-administration.ts';
import { ApiTokens } from './features/session/api-tokens/api-tokens.service.ts';
import type { OidcOptions } from './features/session/oidc/oidc.ts';
import { Sessions } from './features/session/session.service.ts';
import { type KeyedHash, keyedHash } from './features/session/sessions/session-token.ts';
import { openSignIn } from './features/session/sign-in.service.ts';
import { CachedLinks } from './features/shares/cached-links.ts';
import { Guests } from './features/shares/guests.service.ts';
import { NewShare } from './features/shares/new-share.service.ts';
import { Shares } from './features/shares/shares.service.ts';
import { Sync } from './features/sync/sync.service.ts';
import { SyncWorker } from './features/sync/sync-worker.ts';
import { UploadFolder } from './features/uploads/upload-folder.ts';
import { Uploads } from './features/uploads/uploads.service.ts';
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
  const { config, infrastructure, adapters, options } = deps;
  const { db, bus, events, log, paces } = infrastructure;
  const sealer = new Sealer(options.secrets.encryptionKeys);
  const hash = keyedHash(options.secrets.sessionSecret);
  const origin = config.PUBLIC_URL?.[0]?.origin ?? null;
  const mail = new Mail({ ...infrastructure, ...adapters, sealer, from: config.MAIL_FROM, retry: paces.mailRetry });
  const ats = new ConnectedAts(deps.configuredAts, log);
  const records = composeRecords(deps, sealer);
  const { interviews, segments, funnels } = records;
  const processing = composeProcessing(deps, records);
  const links = new CachedLinks({ db, bus });
  const shares = new Shares({ db, events, mail, links, retentionDays: config.LOG_RETENTION_DAYS });
  const pushes = new AtsPushes({ ...infrastructure, ...adapters, interviews, shares, retry: paces.pushRetry });
  const edits = new InterviewEdits({ db, events, ats, destinationUrl: config.DESTINATION_URL });
  const bulk = new Bulk({ ...infrastructure, interviews, edits, pushes, processing });
  const sync = composeSync(deps, records);
  const { uploads, uploadFolder } = composeUploads(deps, records);
  opened.defer(async () => uploadFolder?.close());
  const automations = new Automations({ db, funnels, sync, segments, bulk, events });
  const webhooks = new Webhooks({ db, sealer, funnels, sync, automations, events, sources: SERVER_SOURCES });
  const notices = new Notices({ db, events, mail, origin });
  events.connect({ automations, bulk, sync, uploads, notices });
  const outgoing = composeOutgoingWebhooks(deps, { sealer, origin });
  return {
    ...composeSessions(deps, { sealer, hash, funnels, mail }),
    ...records,
    ...composeOperations(deps, { sync, funnels, ats, deliveries: outgoing.deliveryWorker }, opened),
    savedViews: new SavedViews(db),
    ...{ shares, pushes },
    newShare: new NewShare({ db, interviews }),
    guests: new Guests({ db, events, interviews, links, hash }),
    ...{ ats, edits, processing, bulk, sync, automations, uploads, uploadFolder, webhooks, mail, notices },
    ...composeReviews(infrastructure, interviews),
    ...outgoing,
  };
}

function composeOutgoingWebhooks(
  { infrastructure, adapters }: FeatureDeps,
  deps: { sealer: Sealer; origin: string | null },
) {
  const all = { ...infrastructure, ...deps, sender: adapters.webhookSender };
  const retry = infrastructure.paces.deliveryRetry;
  return { outgoingWebhooks: new OutgoingWebhooks(all), deliveryWorker: new DeliveryWorker({ ...all, retry }) };
}

function composeReviews({ db, events }: Infrastructure, interviews: Interviews) {
  const scorecards = new Scorecards({ db, events });
  const reviews = new Reviews({ db, events, scorecards });
  const comments = new Comments({ db, events, interviews, reviews });
  return { scorecards, reviews, comments, exports: new Exports({ db, events, interviews, reviews }) };
}

function composeSessions(
  { config, infrastructure, adapters }: FeatureDeps,
  { funnels, mail, ...deps }: { sealer: Sealer; hash: KeyedHash; funnels: Funnels; mail: Mail },
) {
  const sessions = new Sessions({ ...infrastructure, hash: deps.hash });
  const apiTokens = new ApiTokens({ ...infrastructure, perMinute: config.API_QUOTA });
  const signIn = openSignIn({
    ...infrastructure,
    ...deps,
    sessions,
    breachedPasswords: adapters.breachedPasswords,
    isFactorRequired: config.SECOND_FACTOR === 'required',
    isReachable: isReachable(config),
    singleSignOn: findSingleSignOn(config, adapters.identityProvider),
  });
  const accounts = new AccountAdministration({
    ...infrastructure,
    funnels,
    mail,
    invitations: signIn.invitations,
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
  const { db, workers, events } = infrastructure;
  const shared = { ...infrastructure, ...adapters };
  const tombstones = new Tombstones(sealer);
  const videoRemoval = new VideoRemoval(shared);
  const noteRemoval = new NoteRemoval(shared);
  const viewings = new Viewings(infrastructure);
  const interviews = new Interviews({
    ...{ db, viewings, tombstones, noteRemoval, destinationUrl: config.DESTINATION_URL },
    atsName: adapters.ats?.name ?? null,
    isPublicUrl: (url) => adapters.downloader.admits(url),
    isWaitingForWorker: (step) => workers.isMissing(stepJob(step).name),
  });
  const removal = new FileRemoval({ ...shared, interviews });
  const deletedInterviews = new DeletedInterviews({ db, tombstones, retentionDays: config.LOG_RETENTION_DAYS });
  const erasure = { tombstones, deletedInterviews, removal, videoRemoval, noteRemoval };
  const funnels = new Funnels({
    ...shared,
    ...erasure,
    interviews,
    vault: new ApiKeyVault(sealer),
    sources: findSources(config),
  });
  const erasureList = new ErasureList(sealer, config.DATA_DIR);
  const candidates = new Candidates({ db, events, interviews, ...erasure, erasureList });
  const segments = new Segments(db, events);
  const join = new RecordingJoin({ ...shared, segments, removal });
  const media = new Media({ ...shared, interviews, removal, join });
  return {
    ...{ interviews, segments, viewings, funnels, media, join, removal },
    ...{ candidates, deletedInterviews, videoRemoval, noteRemoval },
  };
}

function composeUploads({ config, infrastructure, adapters }: FeatureDeps, records: Records) {
  const deps = { ...infrastructure, ...adapters, ...records, maxBytes: config.MAX_VIDEO_BYTES };
  const budget = { perAccount: config.MAX_UPLOAD_BYTES_PER_ACCOUNT, inAll: config.MAX_UPLOAD_BYTES };
  const uploads = new Uploads({ ...deps, budget, pace: infrastructure.paces.uploadPace });
  const folder = config.UPLOAD_FOLDER;
  const pace = infrastructure.paces.folderPace;
  return { uploads, uploadFolder: folder === undefined ? null : new UploadFolder({ ...deps, folder, pace }) };
}

function composeProcessing({ config, infrastructure, adapters }: FeatureDeps, records: Records): Processing {
  return new Processing({
    ...infrastructure,
    ...adapters,
    ...records,
    videoTexts: { title: config.YOUTUBE_TITLE, description: config.YOUTUBE_DESCRIPTION },
    retry: infrastructure.paces.stepRetry,
    pace: infrastructure.paces.publishPace,
    concurrency: {
      convert: config.CONVERT_CONCURRENCY,
      transcribe: config.TRANSCRIBE_CONCURRENCY,
      summarize: config.SUMMARIZE_CONCURRENCY,
    },
  });
}

function composeSync({ config, infrastructure, adapters }: FeatureDeps, records: Records): Sync {
  const worker = new SyncWorker({
    ...infrastructure,
    ...records,
    source: adapters.source,
    concurrency: config.DOWNLOAD_CONCURRENCY,
    onCancel: (listener) => infrastructure.bus.on('sync-cancel', listener),
  });
  return new Sync({ ...infrastructure, funnels: records.funnels, worker, sources: findSources(config) });
}

function composeOperations(
  { config, infrastructure, adapters }: FeatureDeps,
  features: { sync: Sync; funnels: Funnels; ats: ConnectedAts; deliveries: DeliveryWorker },
  opened: AsyncDisposableStack,
) {
  const deps = { ...infrastructure, files: adapters.files, roles: config.ROLES };
  const readiness = new Readiness({ ...deps, pool: infrastructure.connection.pool });
  const outages = new Outages(deps);
  opened.defer(() => outages.close());
  const metrics = config.METRICS_TOKEN ? new Metrics({ ...deps, ...features }) : null;
  opened.defer(() => metrics?.close());
  const setup = findSetup({ ...features, connections: findConnections(config), sources: findSources(config) });
  return { readiness, outages, metrics, setup };
}
