import { z } from 'zod';
import { PRIVACIES, VIDEO_PLACEHOLDERS } from '#server/ports/video-host.ts';
import { SOURCE_VARIABLES } from '#server/sources/sources.ts';
import { SIGN_ON_VARIABLES } from './single-sign-on.ts';
import {
  baseUrl,
  byteCount,
  contact,
  count,
  databaseUrl,
  fileHosts,
  flag,
  hosts,
  LEVELS,
  port,
  prefix,
  program,
  proxyUrl,
  publicUrls,
  seconds,
  sender,
  smtpUrl,
  socket,
  someOf,
  trimmed,
  url,
  videoText,
} from './values.ts';

export const PROCESS_ROLES = ['web', 'worker'] as const;
/** Queues that a worker can be limited to. */
export const WORKER_QUEUES = ['convert', 'transcribe', 'summarize', 'sync'] as const;
export type WorkerQueue = (typeof WORKER_QUEUES)[number];

const LOOPBACK = ['localhost', '127.0.0.0/8', '::1'];
export const DEFAULT_DATA_DIR = './data';

/** Every variable with its default. `docs/CONFIGURATION.md` is generated from the descriptions. */
export const VARIABLES = {
  PORT: port.default(5000).describe('Port to listen on.'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on. Set to 0.0.0.0 to accept connections from other machines.'),
  DATA_DIR: z
    .string()
    .default(DEFAULT_DATA_DIR)
    .describe('Folder for the embedded database, downloaded files and generated secrets.'),
  DATABASE_URL: databaseUrl
    .optional()
    .describe(
      'PostgreSQL server (15 or later) to use instead of the embedded one. Add ?sslmode=verify-full for TLS, and &sslrootcert=/path/of/ca.crt if a private CA issued the certificate.',
    ),
  DATABASE_OWNER_URL: databaseUrl
    .optional()
    .describe(
      'The same database with the account that owns it, for migrations, restores and other commands. The account of DATABASE_URL then needs no rights: each start grants them. If unset, that account does everything.',
    ),
  DATABASE_DIRECT_URL: databaseUrl
    .optional()
    .describe(
      'Address of the database itself if DATABASE_URL points to a pooler such as PgBouncer: for live messages, locks and, without DATABASE_OWNER_URL, migrations and commands.',
    ),
  DATABASE_PREPARED: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default('on')
    .describe(
      'Whether frequent queries are prepared once per connection. Set to off for a pooler in transaction mode.',
    ),
  MIGRATE: z
    .enum(['auto', 'off', 'only', 'wait'], { error: 'must be auto, off, only or wait' })
    .default('auto')
    .describe(
      'How the start treats a database of an earlier release: auto upgrades it, off refuses to start, only upgrades it and exits, as `npm run migrate` does, wait waits up to an hour until another process has upgraded it and exits.',
    ),
  DATABASE_POOL_SIZE: count(200)
    .default(12)
    .describe(
      'Most database connections of one process, in addition to two that it always keeps. The embedded database accepts as many as needed.',
    ),
  ROLES: someOf(PROCESS_ROLES)
    .default([...PROCESS_ROLES])
    .describe(
      'What this process does: web serves pages, the API and live messages, worker runs jobs. Other values than web,worker need DATABASE_URL.',
    ),
  WORKER_QUEUES: someOf(WORKER_QUEUES)
    .default([...WORKER_QUEUES])
    .describe(
      'Jobs that this worker runs: convert, transcribe, summarize and sync (refreshes), separated by commas. Every worker also runs all other jobs: bulk actions, removals, checks of uploads and joins of answers. Fewer than all need DATABASE_URL.',
    ),
  SHUTDOWN_DELAY_S: seconds(300)
    .default(0)
    .describe(
      'Seconds that the process still serves requests after SIGTERM while `/readyz` already returns 503, so that load balancers stop sending requests. It then stops within 15 seconds.',
    ),
  ADMIN_USERNAME: trimmed
    .min(1)
    .default('admin')
    .describe('Username of the first account, created when no account exists.'),
  ADMIN_PASSWORD: z
    .string()
    .min(1)
    .default('admin123')
    .describe(
      'Password of the first account. Needs 8 characters, and cannot be common or similar to the username: otherwise the start warns, and fails where others can reach the server. There, the default only lets the first user choose a new one, with the code that the start prints.',
    ),
  SESSION_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('Mixed into the stored hashes of sessions, at least 16 characters. Generated into DATA_DIR if unset.'),
  SECOND_FACTOR: z
    .enum(['optional', 'required'], { error: 'must be optional or required' })
    .default('optional')
    .describe(
      'Two-factor sign-in with an authenticator app: optional or required. If required, accounts without it set it up at their next sign-in.',
    ),
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits, for example from: openssl rand -hex 32')
    .optional()
    .describe(
      'Encrypts stored API keys, webhook secrets and second factors (AES-256-GCM). 64 hexadecimal digits. Generated into DATA_DIR if unset.',
    ),
  ENCRYPTION_KEY_PREVIOUS: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits: the former ENCRYPTION_KEY')
    .optional()
    .describe('Former ENCRYPTION_KEY, until `npm run keys:rotate` has encrypted everything with the new one.'),
  BREACHED_PASSWORDS_URL: baseUrl
    .optional()
    .describe(
      'Service with the range API of Pwned Passwords, such as https://api.pwnedpasswords.com. It receives five digits of a hash; new passwords that it lists are rejected. If unset, only the built-in list is checked.',
    ),
  TRUST_PROXY: flag
    .default(false)
    .describe(
      'Set to true behind a reverse proxy: forwarded addresses and protocols are trusted, and cookies are Secure over HTTPS.',
    ),
  PUBLIC_URL: publicUrls
    .optional()
    .describe(
      'Address at which users reach the product, such as https://interviews.example.com; several separated by commas. If set, requests for other host names get 421, except for names of this machine and for health checks and metrics.',
    ),
  ...SIGN_ON_VARIABLES,
  ...SOURCE_VARIABLES,
  DOWNLOAD_CONCURRENCY: count(64).default(6).describe('Files that a refresh downloads in parallel.'),
  YOUTUBE_CLIENT_ID: trimmed.optional().describe('ID of the OAuth client that publishes videos on YouTube.'),
  YOUTUBE_CLIENT_SECRET: trimmed.optional().describe('Secret of that OAuth client.'),
  YOUTUBE_REFRESH_TOKEN: trimmed.optional().describe('Permission to publish. Run `npm run youtube:connect` to get it.'),
  YOUTUBE_API_URL: baseUrl
    .default('https://www.googleapis.com')
    .describe('Base URL of the YouTube API. Change it only for testing.'),
  YOUTUBE_PRIVACY: z
    .enum(PRIVACIES, { error: `must be one of ${PRIVACIES.join(', ')}` })
    .default('unlisted')
    .describe('Visibility of published videos: private, unlisted or public.'),
  YOUTUBE_TITLE: videoText
    .default('{funnelName} – {interviewId}')
    .describe(
      `Title of published videos. Placeholders: ${VIDEO_PLACEHOLDERS.map((name) => `\`{${name}}\``).join(', ')}. By default, it does not identify the candidate.`,
    ),
  YOUTUBE_DESCRIPTION: videoText
    .default('{recordedDate}\\n\\n{questions}')
    .describe('Description of published videos, with the same placeholders. `\\n` starts a new line.'),
  CONVERT_CONCURRENCY: count(16).default(2).describe('Videos that one process publishes in parallel.'),
  TRANSCRIPTION_URL: baseUrl
    .optional()
    .describe('Base URL of an OpenAI-compatible transcription service, ending in /v1.'),
  TRANSCRIPTION_API_KEY: trimmed.optional().describe('API key of the transcription service, if required.'),
  TRANSCRIPTION_MODEL: trimmed.default('whisper-1').describe('Transcription model.'),
  TRANSCRIBE_CONCURRENCY: count(16).default(2).describe('Recordings that one process transcribes in parallel.'),
  SUMMARY_URL: baseUrl
    .optional()
    .describe('Base URL of an OpenAI-compatible chat service that writes summaries, ending in /v1.'),
  SUMMARY_API_KEY: trimmed.optional().describe('API key of the summary service, if required.'),
  SUMMARY_MODEL: trimmed.default('gpt-4o-mini').describe('Summary model.'),
  SUMMARIZE_CONCURRENCY: count(16).default(2).describe('Summaries that one process writes in parallel.'),
  SMTP_URL: smtpUrl
    .optional()
    .describe(
      'Mail server for invitations and notices: smtp://NAME:PASSWORD@HOST:PORT, or smtps:// for TLS from the first byte. With smtp:// the connection is upgraded to TLS if the server offers it, and a server on the internet must. If unset, no mail is sent, and users copy links themselves.',
    ),
  MAIL_FROM: sender
    .optional()
    .describe('Sender of mails, such as Example Staffing <interviews@example.com>. Required if SMTP_URL is set.'),
  OUTGOING_PROXY: proxyUrl
    .optional()
    .describe(
      'Proxy for all calls of services on the internet, also of the mail server, such as http://proxy.example.com:3128 or https://NAME:PASSWORD@HOST:PORT. It must accept CONNECT. The database and the virus scanner are called without it.',
    ),
  OUTGOING_PROXY_EXCEPT: hosts
    .default(LOOPBACK)
    .describe(
      'Hosts that are called without the proxy: names, with all names below them, IP addresses or ranges such as 10.0.0.0/8, separated by commas. Names are not resolved for this.',
    ),
  ALLOW_PRIVATE_HOSTS: hosts
    .optional()
    .describe(
      'Hosts in private networks that videos and thumbnails may be downloaded from, and that webhooks may report events to: names, IP addresses or ranges, separated by commas. Other private addresses are rejected. OIDC_ISSUER and webhooks may be without TLS there.',
    ),
  ALLOW_FILE_HOSTS: fileHosts
    .optional()
    .describe(
      'The only hosts that videos and thumbnails may be downloaded from, in addition to ALLOW_PRIVATE_HOSTS: names, *.names or IP addresses, separated by commas, each with a port if it is neither 80 nor 443 (files.example.com:8443). If unset, any public host is allowed.',
    ),
  MAX_VIDEO_BYTES: byteCount(20 * 2 ** 30).describe('Largest video to download or upload, in bytes.'),
  MAX_UPLOAD_BYTES: byteCount(512 * 2 ** 30).describe(
    'Most bytes of all unfinished uploads together. With FILE_STORE=local also no more than fit: uploads leave a tenth of the disk free, at most 1 GB. One upload may always exceed it.',
  ),
  MAX_UPLOAD_BYTES_PER_ACCOUNT: byteCount(100 * 2 ** 30).describe(
    'Most bytes of the unfinished uploads of one account together. One upload may always exceed it.',
  ),
  FFMPEG_PATH: program
    .optional()
    .describe(
      'Absolute path of ffmpeg, such as /usr/bin/ffmpeg. It encodes the answers of an interview into one video where their codecs or sizes differ. If unset, the player plays such answers one after another and they cannot be converted.',
    ),
  CLAMD_ADDRESS: socket
    .optional()
    .describe(
      'Address of a ClamAV daemon, as HOST:PORT or a socket path. It scans every downloaded or uploaded file before it is stored. If unset, files are not scanned.',
    ),
  UPLOAD_FOLDER: trimmed
    .optional()
    .describe(
      'Folder from which workers take in recordings: those in UPLOAD_FOLDER/<id or name of a funnel> become interviews of that funnel.',
    ),
  DESTINATION_URL: url
    .refine((text) => text.includes('{jobId}'), {
      error: 'must contain {jobId}, and {employerId} if the ATS needs it',
    })
    .optional()
    .describe('Link to a job application in the ATS, with {employerId} and {jobId} as placeholders.'),
  BULLHORN_USERNAME: trimmed
    .optional()
    .describe(
      "Name of the API user of Bullhorn that notes are written as. Bullhorn's support creates it with the client. Run `npm run ats:connect` after setting it.",
    ),
  BULLHORN_CLIENT_ID: trimmed.optional().describe('ID of the OAuth client at Bullhorn.'),
  BULLHORN_CLIENT_SECRET: trimmed.optional().describe('Secret of that OAuth client.'),
  BULLHORN_LOGIN_URL: baseUrl
    .default('https://rest.bullhornstaffing.com')
    .describe(
      'Where Bullhorn names the data center of the API user. Its addresses must be in the same domain. Change it only for testing.',
    ),
  LEVER_API_KEY: trimmed
    .optional()
    .describe('API key of Lever, with permission for notes, opportunities, postings and users. Instead of Bullhorn.'),
  LEVER_URL: baseUrl
    .default('https://api.lever.co/v1')
    .describe('Base URL of the Lever API. Change it only for testing.'),
  LEVER_USER: trimmed
    .optional()
    .describe('E-mail address of the user of Lever that notes are written as. If unset, the owner of the key.'),
  LOG_RETENTION_DAYS: count(36_500).default(365).describe('Days to keep entries of the system logs.'),
  LOG_LEVEL: z
    .enum(LEVELS, { error: `must be one of ${LEVELS.join(', ')}` })
    .default('info')
    .describe('Log level of the process: fatal, error, warn, info, debug, trace or silent.'),
  METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('Bearer token for `GET /metrics` (Prometheus). If unset, metrics are off.'),
  MAX_SOCKETS: count(100_000).default(5_000).describe('Most live connections of one process.'),
  MAX_SOCKETS_PER_SESSION: count(100_000).default(50).describe('Most live connections (open tabs) of one session.'),
  READ_QUOTA: count(1_000_000_000)
    .default(2_000)
    .describe(
      'Recordings and texts (transcript and summary of an interview) that one account may read per hour, in all sessions and processes together, and at once after a pause. A repeated read and a thumbnail count a twentieth.',
    ),
  API_QUOTA: count(1_000_000)
    .default(1_200)
    .describe('Requests that one API token may send to one process per minute. More get 429 with `Retry-After`.'),
  SECURITY_CONTACT: contact
    .optional()
    .describe(
      'Where to report vulnerabilities: an e-mail address or the address of a page (https), published in /.well-known/security.txt.',
    ),
  FILE_STORE: z
    .enum(['local', 's3'], { error: 'must be local or s3' })
    .default('local')
    .describe(
      'Where videos and thumbnails are stored: local (DATA_DIR/files) or s3 (a bucket). If unset, the store that `npm run files -- move` switched to, else local.',
    ),
  S3_ENDPOINT: baseUrl.optional().describe('Address of the S3 service. If unset, AWS in S3_REGION.'),
  S3_REGION: trimmed.default('us-east-1').describe('Region of the bucket.'),
  S3_BUCKET: trimmed
    .regex(
      /^[a-z0-9][a-z0-9._-]{1,62}$/i,
      'must be the name of a bucket: 2 to 63 letters, digits, dots, hyphens and underscores',
    )
    .optional()
    .describe('Name of an existing bucket. Required if FILE_STORE is s3.'),
  S3_PREFIX: prefix.optional().describe('Start of the keys of all objects, such as interviews/, for a shared bucket.'),
  S3_FORCE_PATH_STYLE: flag
    .default(false)
    .describe(
      'Set to true for services whose addresses contain the bucket in the path, such as MinIO and OpenStack Swift.',
    ),
  S3_ACCESS_KEY_ID: trimmed
    .optional()
    .describe(
      'Access key of the bucket. If unset, credentials come from where the AWS SDK looks: its variables, files and the role of the machine.',
    ),
  S3_SECRET_ACCESS_KEY: trimmed.optional().describe('Secret of that access key.'),
  S3_DELIVERY: z
    .enum(['proxy', 'redirect'], { error: 'must be proxy or redirect' })
    .default('proxy')
    .describe(
      'How browsers get files from the bucket: proxy sends them through the product; redirect sends browsers to signed addresses of the bucket that are valid for up to five minutes, also after a deletion of the account or the session.',
    ),
  X_ACCEL_PREFIX: z
    .string()
    .regex(/^\/[\w/-]*\/$/, 'must be a path that starts and ends with a slash, for example /protected/')
    .optional()
    .describe('Behind nginx: internal location from which nginx sends videos (X-Accel-Redirect).'),
} as const;
