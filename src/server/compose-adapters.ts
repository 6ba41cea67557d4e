import { join } from 'node:path';
import { DEFAULT_SOURCE } from '#contracts/sources.ts';
import type { RetryPolicy } from '#server/ports/retry-policy.ts';
import { fileIntake } from './adapters/file-intake/file-intake.ts';
import { localFileStore } from './adapters/file-store-local/local-file-store.ts';
import type { OpenidOptions } from './adapters/identity-provider-openid/openid-identity-provider.ts';
import { AllowedHosts } from './adapters/outside-http/private-addresses.ts';
import { RETRY_POLICY } from './adapters/outside-http/retry.ts';
import { recordingsWithFfmpeg } from './adapters/recordings-ffmpeg/recordings-with-ffmpeg.ts';
import { mediabunnyRecordings } from './adapters/recordings-mediabunny/mediabunny-recordings.ts';
import { clamdScanner } from './adapters/scanner-clamd/clamd-scanner.ts';
import { findUrlProblem } from './adapters/webhook-sender-http/webhook-url.ts';
import { loadOnce } from './async/single-flight.ts';
import { isPrivateHost } from './config/cleartext.ts';
import type { Config } from './config/config.ts';
import { builtInServices, configuredServices, findSources } from './config/connections.ts';
import type { ConfiguredAts } from './features/ats/connected-ats.service.ts';
import type { BreachedPasswords } from './ports/breached-passwords.ts';
import type { Downloader } from './ports/downloader.ts';
import type { FileScanner } from './ports/file-scanner.ts';
import type { FileStore, RemoteFileStore } from './ports/file-store.ts';
import type { IdentityProvider } from './ports/identity-provider.ts';
import type { InterviewSource, SourceAccess } from './ports/interview-source.ts';
import type { Mailer } from './ports/mailer.ts';
import type { Recordings } from './ports/recordings.ts';
import type { Summarizer } from './ports/summarizer.ts';
import type { Transcriber } from './ports/transcriber.ts';
import { UpstreamError } from './ports/upstream-error.ts';
import type { VideoHost } from './ports/video-host.ts';
import type { WebhookSender } from './ports/webhook-sender.ts';
import { SERVER_SOURCES } from './sources/sources.ts';

/**
 * The implementations behind the ports. Null means that this installation has not configured
 * one.
 */
export type Adapters = Awaited<ReturnType<typeof pickAdapters>>;

interface AdapterOptions {
  retry?: RetryPolicy | undefined;
  /** The applicant tracking system, whose sign-in is in the database. */
  configuredAts?: ConfiguredAts | null;
  /**
   * Called when a service no longer has fields that were read, with a message for the System Logs.
   */
  onSourceChange: (message: string) => void;
}

/**
 * Creates the configured adapters. Client libraries of services that are not configured are not
 * loaded. The one for language models takes 12 MB and the HTTP client 6 MB; both are loaded with
 * the first call, so a process that makes no such calls does without them.
 */
export async function pickAdapters(
  config: Config,
  { retry = RETRY_POLICY, configuredAts = null, onSourceChange }: AdapterOptions,
) {
  const files = await pickFileStore(config);
  const scanner = pickFileScanner(config);
  const recordings = mediabunnyRecordings({ files });
  return {
    files,
    /** The store to which browsers are redirected. Null if the product sends the files. */
    redirect: config.S3_DELIVERY === 'redirect' && 'signedUrl' in files ? files : null,
    scanner,
    intake: fileIntake({ scanner }),
    source: pickInterviewSource(config, { retry, onSourceChange }),
    downloader: pickDownloader(config, { files, scanner, retry }),
    inspector: recordings,
    recordings: pickRecordings(config, files, recordings),
    videoHost: await pickVideoHost(config, files, retry),
    /** The message for users if `videoHost` is null. */
    videoHostSetup: YOUTUBE_SETUP,
    transcriber: pickTranscriber(config, retry),
    summarizer: pickSummarizer(config, retry),
    breachedPasswords: await pickBreachedPasswords(config),
    identityProvider: pickIdentityProvider(config),
    mailer: pickMailer(config),
    webhookSender: pickWebhookSender(config),
    ats: configuredAts?.ats ?? null,
  };
}

export const outgoingProxy = ({ OUTGOING_PROXY: url, OUTGOING_PROXY_EXCEPT: except }: Config) =>
  url === undefined ? undefined : { url, except };

/** Returns a sentence for every configured service that cannot be reached, and for the proxy. */
export async function findServiceProblems(config: Config): Promise<string[]> {
  const proxy = outgoingProxy(config);
  const configured = configuredServices(config);
  if (!proxy && configured.length === 0) return [];
  const { findCallProblem } = await import('./adapters/outside-http/try-service.ts');
  // Without any service, another URL serves to reach the proxy.
  const onlyProxy = configured.length === 0;
  const services = onlyProxy ? builtInServices(config).slice(0, 1) : configured;
  const problems = await Promise.all(services.map((service) => findCallProblem(service, proxy, { onlyProxy })));
  const found = problems.filter((problem) => problem !== null);
  const provider = providerOptions(config);
  if (!provider || found.some((problem) => problem.includes('OIDC_ISSUER'))) return found;
  const { findProviderProblem } = await import('./adapters/identity-provider-openid/provider-check.ts');
  return [...found, (await findProviderProblem(provider)) ?? []].flat();
}

function providerOptions(config: Config): OpenidOptions | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId = '', OIDC_CLIENT_SECRET: clientSecret = '' } = config;
  return issuer ? { issuer, clientId, clientSecret, scopes: config.OIDC_SCOPES, proxy: outgoingProxy(config) } : null;
}

/** Returns why mails cannot be sent now, or null. */
export async function findMailProblem(config: Config): Promise<string | null> {
  const { addressAdmin } = await import('./adapters/outside-http/try-service.ts');
  const checked = pickMailer(config)?.check();
  return await Promise.resolve(checked).then(
    () => null,
    (error: Error) => addressAdmin(error.message),
  );
}

/** Passes each call to the adapter of the funnel's source. */
function pickInterviewSource(
  config: Config,
  { retry, onSourceChange }: Pick<AdapterOptions, 'onSourceChange'> & { retry: RetryPolicy },
): InterviewSource {
  const options = { retry, proxy: outgoingProxy(config), onChange: onSourceChange };
  const adapters = new Map(
    // Without its URL, the default source names the missing variable.
    [DEFAULT_SOURCE, ...findSources(config)].map((source) => {
      const { load } = SERVER_SOURCES[source];
      return [source, load && loadOnce(() => load(config, options))];
    }),
  );
  const adapterOf = async ({ source }: SourceAccess): Promise<InterviewSource> => {
    const load = adapters.get(source);
    if (load) return load();
    throw new UpstreamError('interviews', 'rejected', `The source ${source} isn't available on this server.`);
  };
  return {
    page: async (access, range, cursor, signal) => (await adapterOf(access)).page(access, range, cursor, signal),
    find: async (access, interview, signal) => (await adapterOf(access)).find(access, interview, signal),
    check: async (access, signal) => (await adapterOf(access)).check(access, signal),
    positions: async (access, signal) => (await adapterOf(access)).positions(access, signal),
  };
}

function pickDownloader(
  config: Config,
  { files, scanner, retry }: { files: FileStore; scanner: FileScanner | null; retry: RetryPolicy },
): Downloader {
  const hosts = {
    allowPrivateHosts: config.ALLOW_PRIVATE_HOSTS ?? [],
    allowFileHosts: config.ALLOW_FILE_HOSTS ?? null,
  };
  const maxVideoBytes = config.MAX_VIDEO_BYTES;
  const maxSlow = Math.max(1, Math.floor(config.DOWNLOAD_CONCURRENCY / 2));
  const load = loadOnce(async () => {
    const { httpDownloader, MINIMUM_PACE } = await import('./adapters/http-download/http-downloader.ts');
    const pace = { ...MINIMUM_PACE, maxSlow };
    return httpDownloader({ files, retry, maxVideoBytes, ...hosts, pace, scanner, proxy: outgoingProxy(config) });
  });
  const allowed = new AllowedHosts(hosts.allowPrivateHosts, hosts.allowFileHosts);
  return {
    download: async (request, signal) => (await load()).download(request, signal),
    loadImage: async (url, signal) => (await load()).loadImage(url, signal),
    admits: (url) => allowed.admitsUrl(url),
  };
}

export const pickFileStore = async (config: Config): Promise<FileStore | RemoteFileStore> =>
  config.FILE_STORE === 's3' ? await openS3Store(config) : openLocalStore(config);

export const openLocalStore = ({ DATA_DIR }: Config): FileStore => localFileStore(join(DATA_DIR, 'files'));

/** Whether or not the product uses it. */
export async function openS3Store(config: Config): Promise<RemoteFileStore> {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  const { s3FileStore } = await import('./adapters/file-store-s3/s3-file-store.ts');
  return s3FileStore({
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET ?? '',
    prefix: config.S3_PREFIX ?? '',
    forcePathStyle: config.S3_FORCE_PATH_STYLE,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    spoolFolder: join(config.DATA_DIR, 'spool'),
    proxy: outgoingProxy(config),
  });
}

function pickRecordings(
  { FFMPEG_PATH: ffmpegPath, DATA_DIR }: Config,
  files: FileStore,
  recordings: Recordings,
): Recordings {
  if (!ffmpegPath) return recordings;
  return recordingsWithFfmpeg({ recordings, files, ffmpegPath, folder: join(DATA_DIR, 'spool') });
}

export const pickFileScanner = ({ CLAMD_ADDRESS: address }: Config): FileScanner | null =>
  address ? clamdScanner({ address }) : null;

export async function pickBreachedPasswords(config: Config): Promise<BreachedPasswords | null> {
  const { BREACHED_PASSWORDS_URL: baseUrl } = config;
  const proxy = outgoingProxy(config);
  if (!baseUrl) return null;
  const { breachedPasswordsRange } = await import('./adapters/breached-passwords-range/breached-passwords-range.ts');
  return breachedPasswordsRange({ baseUrl, proxy });
}

/** Nothing is loaded or called before the first sign-in: a start does not need the provider. */
function pickIdentityProvider(config: Config): IdentityProvider | null {
  const options = providerOptions(config);
  if (!options) return null;
  const load = loadOnce(async () => {
    const { openidIdentityProvider } = await import('./adapters/identity-provider-openid/openid-identity-provider.ts');
    return openidIdentityProvider(options);
  });
  return {
    beginSignIn: async (redirectUri) => (await load()).beginSignIn(redirectUri),
    finishSignIn: async (returned, checks) => (await load()).finishSignIn(returned, checks),
    readLogoutToken: async (token) => (await load()).readLogoutToken(token),
  };
}

const YOUTUBE_SETUP =
  "YouTube isn't connected. Ask an admin to run `npm run youtube:connect`, set YOUTUBE_CLIENT_ID, YOUTUBE_CLIENT_SECRET and YOUTUBE_REFRESH_TOKEN, and restart the server.";

async function pickVideoHost(config: Config, files: FileStore, retry: RetryPolicy): Promise<VideoHost | null> {
  const {
    YOUTUBE_CLIENT_ID: clientId,
    YOUTUBE_CLIENT_SECRET: clientSecret,
    YOUTUBE_REFRESH_TOKEN: refreshToken,
  } = config;
  if (!clientId || !clientSecret || !refreshToken) return null;
  const { YOUTUBE_API_URL: apiUrl, YOUTUBE_PRIVACY: privacy } = config;
  const { youtubeVideoHost } = await import('./adapters/video-host-youtube/youtube-video-host.ts');
  const proxy = outgoingProxy(config);
  return youtubeVideoHost({ clientId, clientSecret, refreshToken, apiUrl, privacy, files, retry, proxy });
}

function pickTranscriber(config: Config, retry: RetryPolicy): Transcriber | null {
  const { TRANSCRIPTION_URL: url, TRANSCRIPTION_API_KEY: apiKey = '', TRANSCRIPTION_MODEL: model } = config;
  if (!url) return null;
  const load = loadOnce(async () => {
    const { openaiTranscriber } = await import('./adapters/transcriber-openai/openai-transcriber.ts');
    return openaiTranscriber({ url, apiKey, model, retry, proxy: outgoingProxy(config) });
  });
  return { transcribe: async (part, signal) => (await load()).transcribe(part, signal) };
}

function pickSummarizer(config: Config, retry: RetryPolicy): Summarizer | null {
  const { SUMMARY_URL: url, SUMMARY_API_KEY: apiKey = '', SUMMARY_MODEL: model } = config;
  if (!url) return null;
  const load = loadOnce(async () => {
    const { openaiSummarizer } = await import('./adapters/summarizer-openai/openai-summarizer.ts');
    return openaiSummarizer({ url, apiKey, model, retry, proxy: outgoingProxy(config) });
  });
  return { summarize: async (request, signal) => (await load()).summarize(request, signal) };
}

function pickMailer(config: Config): Mailer | null {
  const { SMTP_URL: url, MAIL_FROM: from } = config;
  if (!url || !from) return null;
  const needsTls = !isPrivateHost(new URL(url).hostname.replace(/^\[|\]$/g, ''));
  const load = loadOnce(async () => {
    const { smtpMailer } = await import('./adapters/mailer-smtp/smtp-mailer.ts');
    return smtpMailer({ url, from, needsTls, proxy: outgoingProxy(config) });
  });
  return {
    send: async (message, signal) => (await load()).send(message, signal),
    check: async () => (await load()).check(),
  };
}

function pickWebhookSender(config: Config): WebhookSender {
  const allowed = new AllowedHosts(config.ALLOW_PRIVATE_HOSTS ?? []);
  const load = loadOnce(async () => {
    const { httpWebhookSender } = await import('./adapters/webhook-sender-http/http-webhook-sender.ts');
    return httpWebhookSender({ allowed, proxy: outgoingProxy(config) });
  });
  return {
    findProblem: (url) => findUrlProblem(url, allowed),
    send: async (request, signal) => (await load()).send(request, signal),
  };
}
