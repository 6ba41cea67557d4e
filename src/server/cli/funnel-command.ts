import type pg from 'pg';
import { decryptWith } from '#server/backup/age.ts';
import { ArchiveReader } from '#server/backup/archive-reader.ts';
import { demandKnownMigrations } from '#server/backup/demand-empty.ts';
import { FunnelRows } from '#server/backup/funnel-rows.ts';
import { listScratchFunnels, type ScratchFunnel } from '#server/backup/restore-funnel.ts';
import { demandAuthentic, type VerifiedArchive, verifyArchive } from '#server/backup/verify-archive.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { findEncryptionKeys } from '#server/config/secrets.ts';
import { openClient } from '#server/db/client.ts';
import { migrate } from '#server/db/migrate.ts';
import { findBackup } from './backup-target.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  parseArguments,
  type Terminal,
  UsageError,
} from './command.ts';
import { plural } from './export-candidate.ts';
import { openDatabase } from './open-database.ts';
import { type Progress, showProgress } from './progress.ts';
import { restoreFunnel } from './restore-funnel.ts';
import { restoreRows, withScratchDatabase } from './scratch-database.ts';
import { confirm } from './terminal.ts';

const USAGE = `Usage:
  npm run funnel -- restore FILE|FOLDER NAME [--key-file KEY_FILE] [--allow-unsigned] [--yes]

Brings a deleted funnel back from a backup, with its interviews, transcripts, summaries, marks and
files. NAME is its name or its number. FOLDER means the newest backup in it. The backup is read into
a temporary database first. The server may be running. It asks for confirmation.

Not restored: candidates who were erased in the meantime, interviews that another funnel has, and
published videos, which were removed with the funnel and can be published again.

  --key-file KEY_FILE  The secret key of an encrypted backup.
  --allow-unsigned     Accepts a backup that cannot be authenticated. Use it only for a file that
                       only you could write.
`;

const OPTIONS = {
  'key-file': { type: 'string' },
  'allow-unsigned': { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

export const funnelCommand: Command = {
  usage: USAGE,
  async run([verb = '', ...args], { environment, terminal }: CommandContext) {
    if (verb !== 'restore') throw new UsageError(verb === '' ? 'Missing command.' : `Unknown command ${verb}.`);
    const { values, positionals } = parseArguments(args, OPTIONS, ['FILE', 'NAME']);
    const [file = '', name = ''] = positionals;
    const config = readConfig(environment);
    const { 'key-file': keyFile, 'allow-unsigned': allowUnsigned = false, yes: isConfirmed = false } = values;
    await using archive = await ArchiveReader.open(await findBackup(file), keyFile ? await decryptWith(keyFile) : null);
    using progress = showProgress(terminal);
    const verified = await verifyArchive(archive, progress.report);
    demandAuthentic(archive, verified, { keys: findEncryptionKeys(config), ownKeys: [], allowUnsigned });
    await demandKnownMigrations(verified.manifest.migrations);
    return await restoreInto(config, { archive, verified, name, isConfirmed, progress, terminal });
  },
};

interface FunnelPlan {
  archive: ArchiveReader;
  verified: VerifiedArchive;
  name: string;
  isConfirmed: boolean;
  progress: Progress;
  terminal: Terminal;
}

async function restoreInto(config: Config, plan: FunnelPlan): Promise<string> {
  await using opened = await openDatabase(config, { needs: 'current' });
  return await withScratchDatabase(async (connectionString) => {
    await using scratch = await openClient(connectionString, 'restore');
    const funnel = await loadFunnel(scratch, connectionString, plan);
    plan.progress.end();
    const question = `Restore funnel "${funnel.name}" with ${plural(funnel.interviews, 'interview')} of ${plan.verified.manifest.createdAt}?`;
    if (!plan.isConfirmed) await confirm(plan.terminal, question);
    return await restoreFunnel(config, { ...plan, opened, scratch, funnel });
  });
}

/** Fills the scratch database with the rows of the funnel, in the tables of this release. */
async function loadFunnel(scratch: pg.Client, connectionString: string, plan: FunnelPlan): Promise<ScratchFunnel> {
  const { archive, verified, name, progress } = plan;
  await migrate(connectionString, { upTo: verified.manifest.migrations.at(-1) ?? '' });
  const { keeps, names } = await FunnelRows.prepare(scratch, name);
  await restoreRows({ archive, verified, connectionString, leaveOut: [], keeps, onProgress: progress.report });
  await migrate(connectionString);
  const funnels = await listScratchFunnels(scratch);
  const [funnel] = funnels;
  if (funnel && funnels.length === 1) return funnel;
  throw new CommandError(
    !funnel
      ? `The backup has no funnel ${name}. It has: ${names.join(', ') || 'none'}. Nothing was changed.`
      : `The backup has several funnels named ${name}. Choose one by its number: ${funnels.map(({ id }) => id).join(', ')}. Nothing was changed.`,
  );
}
