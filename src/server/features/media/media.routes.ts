import type { FastifyInstance } from 'fastify';
import { InterviewPath } from '#contracts/fields.ts';
import { AppError } from '#server/app-error.ts';
import { contentHeaders, storedFileHeaders } from '#server/http/files/file-headers.ts';
import { fileNotFound, type StoredFiles } from '#server/http/files/stored-files.ts';
import type { ReadQuota } from '#server/http/guards/read-quota.ts';
import { refuseNul } from '#server/http/guards/refuse-nul.ts';
import { FILE_FOLDERS, type FileKind, type RemoteFileStore } from '#server/ports/file-store.ts';
import type { Media } from './media.service.ts';

interface MediaOptions {
  /**
   * The store to whose signed URLs browsers are redirected. Null if the product sends the
   * files.
   */
  redirect: RemoteFileStore | null;
  quota: ReadQuota;
  /** Whether the caller may load a file of this name. */
  isVisible: (kind: FileKind, name: string) => Promise<boolean>;
  /** Called for every request for bytes of a recording. */
  onLoad: (name: string) => void;
}

/**
 * Videos and thumbnails follow HTTP itself (ranges, conditional requests), so the contracts have no
 * endpoint for them.
 */
export function mediaRoutes(app: FastifyInstance, files: StoredFiles, options: MediaOptions): void {
  const { redirect, quota, isVisible, onLoad } = options;
  for (const kind of Object.keys(FILE_FOLDERS) as FileKind[]) {
    app.route<{ Params: { filename: string } }>({
      method: ['GET', 'HEAD'],
      url: `/api/files/${kind}/:filename`,
      config: { role: 'reviewer', scope: 'read' },
      schema: { summary: `The bytes of a ${kind}, whole or a range` },
      handler: async (request, reply) => {
        const { filename: name } = request.params;
        await quota.spend(request, [{ kind, id: name }]);
        if (!(await isVisible(kind, name))) throw fileNotFound();
        const isGet = request.method === 'GET';
        const onFound = () => kind === 'video' && isGet && onLoad(name);
        // A signed URL is valid for one method.
        if (redirect && isGet) return files.redirect(redirect, { kind, name, request, reply, onFound });
        return files.send({ kind, name, request, reply, onFound });
      },
    });
  }
}

/** A thumbnail that is not stored (yet). Browsers do not request it from its server themselves. */
export function thumbnailRoute(app: FastifyInstance, media: Pick<Media, 'loadThumbnail'>, quota: ReadQuota): void {
  app.get<{ Params: { id: string } }>(
    '/api/interviews/:id/thumbnail',
    {
      config: { role: 'reviewer', scope: 'read' },
      preValidation: refuseNul,
      schema: {
        params: InterviewPath,
        summary: 'The thumbnail of an interview, from the address that the interview service gave',
      },
    },
    async (request, reply) => {
      await quota.spend(request, [{ kind: 'thumbnail', id: request.params.id }]);
      const closed = new AbortController();
      reply.raw.once('close', () => closed.abort());
      const image = await media.loadThumbnail(request.params.id, closed.signal);
      if (!image) throw new AppError('not_found', 'The thumbnail cannot be loaded.');
      reply.headers({ ...storedFileHeaders, ...contentHeaders(`thumbnail.${image.extension}`) });
      return reply.send(image.bytes);
    },
  );
}
