import { randomBytes } from 'node:crypto';
import { bullhornTokens } from '#server/adapters/ats-bullhorn/bullhorn-ats.ts';
import { newSignIn } from '#server/adapters/ats-bullhorn/bullhorn-sign-in.ts';
import { bullhornAccess, composeAts, describeAts } from '#server/compose-ats.ts';
import { createEvents } from '#server/compose-events.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { readSecrets } from '#server/config/secrets.ts';
import { Sealer } from '#server/secrets/sealer.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  parseArguments,
  type Terminal,
  UsageError,
} from './command.ts';
import { askForConsent } from './consent.ts';
import { openDatabase } from './open-database.ts';

/** Bullhorn's support registers the URL of the redirect, so its port does not change. */
const DEFAULT_PORT = 5757;

const USAGE = `Usage:
  npm run ats:connect [-- --port ${DEFAULT_PORT}]

Bullhorn: gets the permission to read jobs and candidates and to write notes as BULLHORN_USERNAME, and
stores it encrypted in the database. The server may be running and needs no restart. Bullhorn's
support must have registered the redirect address http://127.0.0.1:${DEFAULT_PORT}/ for the client.

Lever: checks LEVER_API_KEY and LEVER_USER, even after Lever had rejected the key.
`;

export const atsCommand: Command = { usage: USAGE, run: connectAts };

async function connectAts(args: string[], { environment, terminal }: CommandContext): Promise<string> {
  const { values } = parseArguments(args, { port: { type: 'string', default: String(DEFAULT_PORT) } });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UsageError('--port needs a number from 1 to 65535.');
  const config = readConfig(environment);
  const { encryptionKeys } = await readSecrets(config);
  await using opened = await openDatabase(config, { needs: 'usable' });
  const sealer = new Sealer(encryptionKeys);
  const ats = composeAts(config, { db: opened.db, sealer, events: createEvents() });
  if (!ats)
    throw new CommandError(
      'Set BULLHORN_USERNAME, BULLHORN_CLIENT_ID and BULLHORN_CLIENT_SECRET, or LEVER_API_KEY, then run again.',
    );
  if (ats.ats.name === 'Lever') return await connectLever(ats);
  return await connectBullhorn({ config, ats, terminal, port });
}

async function connectLever({ ats, connection }: ConnectInput['ats']): Promise<string> {
  await connection.change(async () => ({ state: 'connected', signIn: null }));
  const { text, isUsable } = await describeAts(ats);
  if (isUsable) return text;
  throw new CommandError(text);
}

interface ConnectInput {
  config: Config;
  ats: NonNullable<ReturnType<typeof composeAts>>;
  terminal: Terminal;
  port: number;
}

async function connectBullhorn({ config, ats, terminal, port }: ConnectInput): Promise<string> {
  const { tokens } = bullhornTokens(bullhornAccess(config));
  const state = randomBytes(16).toString('base64url');
  const consent = askForConsent(terminal, port, async (redirectUrl) => ({
    instruction: 'Open this link, sign in as the API user, and accept the terms:',
    url: await tokens.consentUrl(redirectUrl, state),
    state,
    async exchangeCode(code) {
      const signIn = newSignIn(await tokens.exchangeCode(code, redirectUrl));
      await ats.connection.change(async () => ({ state: 'connected', signIn }));
      return ats.ats.check(new AbortController().signal);
    },
    nameOf: ({ account }) => `Bullhorn as ${account}`,
  }));
  const { account, canWrite } = await consent.catch((error) => Promise.reject(explainPort(port, error)));
  return canWrite
    ? `Connected with Bullhorn as ${account}, which may write notes.`
    : `Connected with Bullhorn as ${account}, which may not write notes. Ask Bullhorn's support for the entitlement to create notes.`;
}

function explainPort(port: number, error: NodeJS.ErrnoException): Error {
  if (error.syscall !== 'listen') return error;
  const reason = error.code === 'EADDRINUSE' ? 'another program uses it' : error.message;
  return new CommandError(
    `Port ${port} can't be used: ${reason}. Free it and run this again, or pass --port N with another one. Bullhorn's support must have registered http://127.0.0.1:N/ for the client.`,
  );
}
