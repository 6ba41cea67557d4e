import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import { handOverToNginx } from '#server/http/accel-redirect.ts';
import { sendFile } from '#server/http/send-file.ts';
import { FILE_FOLDERS, type FileKind, type FileStore, FileStoreError } from '#server/ports/file-store.ts';

interface MediaOptions {
  /** The internal location of an nginx in front that serves the store's folder; undefined: we send the bytes ourselves. */
  accelPrefix: string | undefined;
}

interface FileRoute {
  Params: { filename: string };
}

/** Videos and thumbnails. Their contract is HTTP's own (ranges, conditional requests), so they have no entry among the JSON endpoints. */
export function mediaRoutes(app: FastifyInstance, files: FileStore, { accelPrefix }: MediaOptions): void {
  for (const kind of Object.keys(FILE_FOLDERS) as FileKind[]) {
    app.route<FileRoute>({
      method: ['GET', 'HEAD'],
      url: `/api/files/${kind}/:filename`,
      schema: { summary: `The bytes of a ${kind}, whole or a range` },
      handler: accelPrefix === undefined ? send(kind) : handOver(kind, accelPrefix),
    });
  }

  function send(kind: FileKind) {
    return async (request: FastifyRequest<FileRoute>, reply: FastifyReply) => {
      const name = request.params.filename;
      return sendFile(request, reply, { name, opened: await existing(files.open(kind, name)) });
    };
  }

  function handOver(kind: FileKind, prefix: string) {
    return async (request: FastifyRequest<FileRoute>, reply: FastifyReply) => {
      const name = request.params.filename;
      await existing(files.stat(kind, name));
      return handOverToNginx(reply, name, `${prefix}${FILE_FOLDERS[kind]}/${name}`);
    };
  }
}

async function existing<Found>(looking: Promise<Found | null>): Promise<Found> {
  const found = await looking.catch((cause: unknown) => {
    if (!(cause instanceof FileStoreError)) throw cause;
    throw new AppError('unavailable', 'This file cannot be read at the moment.', { cause });
  });
  if (found === null) throw new AppError('not_found', 'This file does not exist.');
  return found;
}
