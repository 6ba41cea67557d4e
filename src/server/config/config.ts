import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { PRIVACIES } from '../ports/video-host.ts';
import { impossibleSettings } from './combinations.ts';
import { ConfigError } from './config-error.ts';
import { readSocketAddress } from './socket-address.ts';

const port = z.coerce
  .number('must be a port number')
  .int('must be a port number')
  .min(0, 'must be a port number from 0 to 65535')
  .max(65_535, 'must be a port number from 0 to 65535');
const count = (most: number) =>
  z.coerce
    .number(`must be a whole number from 1 to ${most}`)
    .int(`must be a whole number from 1 to ${most}`)
    .min(1, `must be a whole number from 1 to ${most}`)
    .max(most, `must be a whole number from 1 to ${most}`);
const address = z
  .string()
  .trim()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
    error: 'must be an address that starts with http:// or https://',
  });
const trimmed = address.transform(withoutSlashes);
/** A name, an address, or a range of addresses such as 10.1.0.0/16. */
const isHost = (text: string): boolean => {
  const [address = '', prefix, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0) return prefix === undefined && /^[a-z0-9.-]+$/i.test(text) && !/^[\d.]+$/.test(text);
  return (
    more.length === 0 && (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)))
  );
};
const hosts = z
  .string()
  .transform((text) => text.split(',').flatMap((item) => item.trim() || []))
  .refine((items) => items.every(isHost), {
    error: 'must be names, addresses or ranges such as 10.1.0.0/16, separated by commas',
  });
const socket = z
  .string()
  .transform((text) => readSocketAddress(text.trim()))
  .refine((address) => address !== null, {
    error: 'must be HOST:PORT, [ADDRESS]:PORT, or the path of a socket such as /run/clamav/clamd.ctl',
  });
const yes = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((text) => text === 'true' || text === '1');
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every variable the product reads, with its default. `docs/CONFIGURATION.md` is generated from the descriptions. */
export const VARIABLES = {
  PORT: port.default(5000).describe('The port everything is served on.'),
  HOST: z.string().default('127.0.0.1').describe('The address to listen on; 0.0.0.0 for every network.'),
  DATA_DIR: z
    .string()
    .default('./data')
    .describe('The folder of the embedded database, the files and the generated secrets.'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
    // Where the server is a socket, nothing stands between the account and the path.
    .refine((text) => URL.canParse(text.replace('@/', '@socket/')), {
      error:
        'must be an address such as postgres://NAME:PASSWORD@HOST:5432/DATABASE, signs in the password written as %2F',
    })
    .optional()
    .describe('A PostgreSQL server (15 or later) to use instead of the embedded one.'),
  DATABASE_POOL_SIZE: count(200)
    .default(12)
    .describe(
      'Connections to the database that one process may hold, besides two more. The embedded database takes as many as this needs.',
    ),
  ADMIN_USERNAME: z
    .string()
    .trim()
    .min(1)
    .default('admin')
    .describe('The name of the first account, made when there is none.'),
  ADMIN_PASSWORD: z.string().min(1).default('admin123').describe('The password of the first account.'),
  SESSION_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe(
      'Signs nothing that leaves the server; mixed into the stored hashes of sessions. Generated into DATA_DIR when unset.',
    ),
  SECOND_FACTOR: z
    .enum(['optional', 'required'], { error: 'must be optional or required' })
    .default('optional')
    .describe(
      'Whether everybody has to sign in with a code of an authenticator app as well: optional or required. With required, whoever has none sets it up at the next sign-in.',
    ),
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits, for example from: openssl rand -hex 32')
    .optional()
    .describe(
      'Encrypts API keys and the secrets of second factors at rest (AES-256-GCM). 64 hexadecimal digits. Generated into DATA_DIR when unset.',
    ),
  ENCRYPTION_KEY_PREVIOUS: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits: the former ENCRYPTION_KEY')
    .optional()
    .describe('The former ENCRYPTION_KEY, while `npm run keys:rotate` has not sealed everything with the new one.'),
  BREACHED_PASSWORDS_URL: trimmed
    .optional()
    .describe(
      'A service with the range interface of Pwned Passwords, such as https://api.pwnedpasswords.com: new passwords that it knows are refused. It gets five digits of a hash. Unset: only the list of the product is looked at.',
    ),
  TRUST_PROXY: yes
    .default(false)
    .describe(
      'Set to true behind a reverse proxy: the forwarded address and protocol count, and cookies are Secure over HTTPS.',
    ),
  INTERVIEW_SERVICE_URL: trimmed.optional().describe('The base address of the external interview service.'),
  DOWNLOAD_CONCURRENCY: count(64).default(6).describe('Files that a refresh downloads at the same time.'),
  YOUTUBE_CLIENT_ID: z.string().trim().optional().describe('The OAuth client that publishes videos on YouTube.'),
  YOUTUBE_CLIENT_SECRET: z.string().trim().optional().describe('The secret of that client.'),
  YOUTUBE_REFRESH_TOKEN: z
    .string()
    .trim()
    .optional()
    .describe('The permission to publish, from `npm run youtube:connect`.'),
  YOUTUBE_API_URL: trimmed
    .default('https://www.googleapis.com')
    .describe("YouTube's address; another one for a stand-in."),
  YOUTUBE_PRIVACY: z
    .enum(PRIVACIES, { error: `must be one of ${PRIVACIES.join(', ')}` })
    .default('unlisted')
    .describe('Who may see published videos: private, unlisted or public.'),
  CONVERT_CONCURRENCY: count(16).default(2).describe('Videos that this process publishes at the same time.'),
  TRANSCRIPTION_URL: trimmed
    .optional()
    .describe('An OpenAI-compatible service that turns sound into words; the address ends in /v1.'),
  TRANSCRIPTION_API_KEY: z.string().trim().optional().describe('Its key, when it wants one.'),
  TRANSCRIPTION_MODEL: z.string().trim().default('whisper-1').describe('The model that it shall use.'),
  TRANSCRIBE_CONCURRENCY: count(16).default(2).describe('Recordings that this process transcribes at the same time.'),
  SUMMARY_URL: trimmed
    .optional()
    .describe(
      'An OpenAI-compatible chat service that writes summaries; the address ends in /v1. Unset: sentences of the transcript, chosen by this machine.',
    ),
  SUMMARY_API_KEY: z.string().trim().optional().describe('Its key, when it wants one.'),
  SUMMARY_MODEL: z.string().trim().default('gpt-4o-mini').describe('The model that it shall use.'),
  SUMMARIZE_CONCURRENCY: count(16).default(2).describe('Summaries that this process makes at the same time.'),
  ALLOW_PRIVATE_HOSTS: hosts
    .optional()
    .describe(
      'Private hosts that videos and thumbnails may be fetched from: names, addresses or ranges, separated by commas. Without it, addresses in private networks are refused.',
    ),
  MAX_VIDEO_BYTES: z.coerce
    .number('must be a number of bytes')
    .int('must be a whole number of bytes')
    .positive('must be a positive number of bytes')
    .default(20 * 2 ** 30)
    .describe('A larger video is not fetched.'),
  CLAMD_ADDRESS: socket
    .optional()
    .describe(
      'Where a ClamAV daemon listens, as HOST:PORT or the path of its socket: it looks into every fetched file before that is stored. Unset: none does.',
    ),
  DESTINATION_URL: address
    .refine((text) => text.includes('{jobId}'), {
      error: 'must contain {jobId}, and {employerId} where the ATS needs it',
    })
    .optional()
    .describe('The link to a job application, with {employerId} and {jobId}.'),
  LOG_RETENTION_DAYS: count(36_500).default(365).describe('Days that log entries are kept.'),
  LOG_LEVEL: z
    .enum(LEVELS, { error: `must be one of ${LEVELS.join(', ')}` })
    .default('info')
    .describe('How much the process prints.'),
  METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('Serves `GET /metrics` for Prometheus to whoever sends it as a bearer token. Unset: there are none.'),
  MAX_SOCKETS: count(100_000).default(5_000).describe('Live connections of browsers that one process holds.'),
  MAX_SOCKETS_PER_SESSION: count(100_000)
    .default(50)
    .describe('Live connections, that is open windows, of one signed-in browser.'),
  X_ACCEL_PREFIX: z
    .string()
    .regex(/^\/[\w/-]*\/$/, 'must be a path that starts and ends with a slash, for example /protected/')
    .optional()
    .describe('Behind nginx: hand the bytes of videos to it with X-Accel-Redirect under this internal location.'),
} as const;

const Environment = z.object(VARIABLES);

/** The configuration, parsed and complete. Only this folder reads the environment. */
export type Config = Omit<z.output<typeof Environment>, 'DATA_DIR'> & {
  /** Absolute. */
  DATA_DIR: string;
};

/**
 * Parses the environment. Empty variables count as unset.
 * @throws ConfigError naming every variable that is wrong, not only the first.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(
    Object.keys(VARIABLES).flatMap((name) => (environment[name]?.trim() ? [[name, environment[name]]] : [])),
  );
  const parsed = Environment.safeParse(given);
  const wrong = (parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}.`);
  const problems = [...wrong, ...impossibleSettings(given)];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return { ...parsed.data, DATA_DIR: resolve(parsed.data.DATA_DIR) };
}

/** An address to which paths are added. */
function withoutSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}
