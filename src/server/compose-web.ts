import type { Adapters } from './compose-adapters.ts';
import type { Features } from './compose-features.ts';
import type { Infrastructure } from './compose-infrastructure.ts';
import type { Config } from './config/config.ts';
import { atsRoutes } from './features/ats/ats.routes.ts';
import { atsPushRoutes } from './features/ats-pushes/pushes.routes.ts';
import { automationRoutes } from './features/automation/automation.routes.ts';
import { bulkRoutes } from './features/bulk/bulk.routes.ts';
import { exportRoutes } from './features/exports/exports.routes.ts';
import { funnelRoutes } from './features/funnels/funnels.routes.ts';
import { interviewRoutes } from './features/interviews/interviews.routes.ts';
import { ReviewMarks } from './features/interviews/review/review-marks.service.ts';
import { VisibleFiles } from './features/interviews/visible-files.ts';
import { logRoutes } from './features/logs/logs.routes.ts';
import { mediaRoutes, thumbnailRoute } from './features/media/media.routes.ts';
import { noticeRoutes } from './features/notices/notices.routes.ts';
import { setupRoutes } from './features/operations/operations.routes.ts';
import { settleReads } from './features/operations/read-quota.service.ts';
import { outgoingWebhookRoutes } from './features/outgoing-webhooks/outgoing-webhooks.routes.ts';
import { processingRoutes } from './features/processing/processing.routes.ts';
import { reviewRoutes } from './features/reviews/reviews.routes.ts';
import { savedViewRoutes } from './features/saved-views/saved-views.routes.ts';
import { accountRoutes } from './features/session/accounts/accounts.routes.ts';
import { apiTokenRoutes } from './features/session/api-tokens/api-tokens.routes.ts';
import { oidcRoutes } from './features/session/oidc/oidc.routes.ts';
import { sessionRoutes } from './features/session/session.routes.ts';
import { readGuestPage } from './features/shares/guest-page.ts';
import { guestRoutes } from './features/shares/guests.routes.ts';
import { shareRoutes } from './features/shares/shares.routes.ts';
import { syncRoutes } from './features/sync/sync.routes.ts';
import { uploadRoutes } from './features/uploads/uploads.routes.ts';
import { webhookRoutes } from './features/webhooks/webhooks.routes.ts';
import { serveApiDocs } from './http/api-docs.ts';
import type { App } from './http/app.ts';
import { StoredFiles } from './http/files/stored-files.ts';
import { ReadQuota } from './http/guards/read-quota.ts';
import { serveSecurityTxt } from './http/security-txt.ts';
import { serveWebApp } from './http/web-app.ts';
import { sendAnnouncements } from './live/announcements.ts';
import { liveRoutes } from './live/live.routes.ts';

export interface HttpDeps {
  infrastructure: Infrastructure;
  adapters: Adapters;
  features: Features;
  webFolder: string;
}

/** Adds every route of the web role, and sends live messages to its sockets. */
export async function addWebRoutes(app: App, config: Config, deps: HttpDeps): Promise<void> {
  const { infrastructure, adapters, features, webFolder } = deps;
  await serveApiDocs(app);
  const { db, events, log } = infrastructure;
  const perHour = config.READ_QUOTA;
  const quota = new ReadQuota({
    perHour,
    settle: settleReads({ db, events, perHour }),
    onError: (error) => log.warn({ err: error }, 'reads were not counted in the database'),
  });
  setupRoutes(app, features.setup);
  atsRoutes(app, features.ats);
  accessRoutes(app, features);
  funnelRoutes(app, features.funnels);
  automationRoutes(app, features.automations);
  webhookRoutes(app, features.webhooks);
  syncRoutes(app, features.sync);
  const marks = new ReviewMarks({ db, events });
  interviewRoutes(app, { interviews: features.interviews, edits: features.edits, marks }, quota);
  reviewRoutes(app, features);
  noticeRoutes(app, features);
  outgoingWebhookRoutes(app, features.outgoingWebhooks);
  exportRoutes(app, features.exports);
  bulkRoutes(app, features.bulk);
  atsPushRoutes(app, features.pushes, quota);
  processingRoutes(app, features.processing, quota);
  savedViewRoutes(app, features.savedViews);
  logRoutes(app, infrastructure.logs);
  shareRoutes(app, features, quota);
  await addFileRoutes(app, config, { ...deps, quota });
  await uploadRoutes(app, features.uploads);
  liveRoutes(app, { sockets: infrastructure.sockets, bus: infrastructure.bus, sessions: features.sessions });
  serveSecurityTxt(app, config.SECURITY_CONTACT);
  const fileOrigin = await adapters.redirect?.signedOrigin().catch((error) => {
    log.warn({ err: error }, 'browsers will not load files from the bucket until the next start');
    return undefined;
  });
  await serveWebApp(app, webFolder, fileOrigin);
  sendLiveMessages(deps);
}

/** Signing in, accounts and API tokens. */
function accessRoutes(app: App, { sessions, signIn, accounts, apiTokens }: Features): void {
  sessionRoutes(app, sessions, signIn);
  oidcRoutes(app, signIn.oidc);
  accountRoutes(app, { accounts, invitations: signIn.invitations });
  apiTokenRoutes(app, apiTokens);
}

/** The bytes of recordings and pictures, for staff and for recipients of links. */
async function addFileRoutes(
  app: App,
  config: Config,
  { infrastructure, adapters, features, webFolder, quota }: HttpDeps & { quota: ReadQuota },
): Promise<void> {
  const visibleFiles = new VisibleFiles(infrastructure.db);
  const storedFiles = new StoredFiles({ files: adapters.files, accelPrefix: config.X_ACCEL_PREFIX });
  mediaRoutes(app, storedFiles, {
    redirect: adapters.redirect,
    quota,
    isVisible: (kind, name) => visibleFiles.isVisible(kind, name),
    onLoad: (file) => features.viewings.recordLoading(file),
  });
  thumbnailRoute(app, features.media, quota);
  await guestRoutes(app, features.guests, { files: storedFiles, page: await readGuestPage(webFolder) });
}

function sendLiveMessages({ infrastructure: { bus, sockets, workers, logs, log }, features }: HttpDeps): void {
  const { sync, processing, bulk } = features;
  const data = {
    refreshStatus: sync.status.bind(sync),
    logEntry: (id: number) => logs.findListed(id),
    stepMessage: processing.findLiveMessage.bind(processing),
    bulkRun: (id: number) => bulk.findRun(id),
  };
  sendAnnouncements(bus, sockets, data, log);
  // Cards show what waits for a worker.
  workers.onChange(() => sockets.send({ type: 'interviews-changed' }));
}
