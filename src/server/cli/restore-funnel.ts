import type pg from 'pg';
import type { ArchiveReader } from '#server/backup/archive-reader.ts';
import { copyFiles, copyRows, type LeftOut, leaveOut, type ScratchFunnel } from '#server/backup/restore-funnel.ts';
import type { VerifiedArchive } from '#server/backup/verify-archive.ts';
import { pickFileStore } from '#server/compose-adapters.ts';
import { createEvents } from '#server/compose-events.ts';
import type { Config } from '#server/config/config.ts';
import { readSecrets } from '#server/config/secrets.ts';
import { lockKeyRotation } from '#server/db/advisory-locks.ts';
import type { Executor } from '#server/db/database.ts';
import { Tombstones } from '#server/features/erasure/tombstones.service.ts';
import { resealApiKeys } from '#server/features/funnels/api-key-vault.ts';
import { resealWebhooks } from '#server/features/webhooks/webhook-secrets.ts';
import { Sealer } from '#server/secrets/sealer.ts';
import { CommandError } from './command.ts';
import { plural } from './export-candidate.ts';
import type { OpenedDatabase } from './open-database.ts';

interface RestoreFunnelInput {
  archive: ArchiveReader;
  verified: VerifiedArchive;
  opened: OpenedDatabase;
  scratch: pg.Client;
  funnel: ScratchFunnel;
}

/** Copies it into the product's database, in one transaction. Returns the text to print. */
export async function restoreFunnel(config: Config, input: RestoreFunnelInput): Promise<string> {
  const { archive, verified, opened, scratch, funnel } = input;
  const sealer = new Sealer((await readSecrets(config)).encryptionKeys);
  const tombstones = new Tombstones(sealer);
  const store = await pickFileStore(config);
  let undoFiles = async () => {};
  try {
    return await opened.db.transaction().execute(async (tx) => {
      await lockKeyRotation(tx);
      await demandNoSuchFunnel(tx, funnel);
      const left = await leaveOut(
        scratch,
        tx,
        async (interviews) => new Set((await tombstones.findErased(tx, interviews)).keys()),
      );
      const { files, missing, undo } = await copyFiles(scratch, tx, { archive, verified, store });
      undoFiles = undo;
      const { interview: interviews = 0 } = await copyRows(scratch, tx);
      // After a rotation, only this command has the key of the backup.
      await resealApiKeys(tx, sealer);
      await resealWebhooks(tx, sealer);
      const counts = { interviews, files, missingFiles: missing, ...left };
      const { id: funnelId, name } = funnel;
      const backupOf = verified.manifest.createdAt;
      await createEvents().record(tx, 'funnel.restored', { funnelId, name, backupOf, ...counts });
      return describeRestored(funnel, counts, sealer.open(funnel.sealedKey, funnel.externalId) !== null);
    });
  } catch (error) {
    await undoFiles();
    throw error;
  }
}

async function demandNoSuchFunnel(tx: Executor, { id, name }: ScratchFunnel): Promise<void> {
  const found = await tx
    .selectFrom('funnel')
    .select(['id', 'name'])
    .where((is) => is.or([is('id', '=', id), is('name', '=', name)]))
    .executeTakeFirst();
  if (!found) return;
  throw new CommandError(
    found.id === id
      ? `Funnel "${found.name}" (number ${id}) exists, so it was not deleted after the backup. Nothing was changed.`
      : `There is another funnel named "${name}" (number ${found.id}). Rename or delete it first. Nothing was changed.`,
  );
}

type Counts = LeftOut & { interviews: number; files: number; missingFiles: number };

function describeRestored({ name }: ScratchFunnel, counts: Counts, hasKey: boolean): string {
  const { interviews, files, missingFiles, erased, existing, publishedVideos } = counts;
  return [
    `Restored funnel "${name}" with ${plural(interviews, 'interview')} and ${plural(files, 'file')}.`,
    ...(erased > 0 ? [`Left out because their candidates were erased: ${erased}.`] : []),
    ...(existing > 0 ? [`Left out because another funnel has them: ${existing}.`] : []),
    ...(missingFiles > 0 ? [`Files missing in the backup: ${missingFiles}. A refresh downloads them again.`] : []),
    ...(publishedVideos > 0
      ? [`Published videos were removed with the funnel: ${publishedVideos}. Convert them again.`]
      : []),
    ...(hasKey
      ? []
      : ['Its API key cannot be decrypted with the current encryption key. Edit the funnel and enter it again.']),
  ].join('\n');
}
