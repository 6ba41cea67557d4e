import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { InterviewPath } from '#contracts/fields.ts';
import { AppError } from '#server/app-error.ts';
import { contentHeaders, storedFileHeaders } from '#server/http/files/file-headers.ts';
import { handOverToNginx, sendFile } from '#server/http/files/send-file.ts';
import type { ReadQuota } from '#server/http/guards/read-quota.ts';
import { refuseNul } from '#server/http/guards/refuse-nul.ts';
import {
  FILE_FOLDERS,
  type FileKind,
  type FileStore,
  FileStoreError,
  type RemoteFileStore,
} from '#server/ports/file-store.ts';
import type { Media } from './media.service.ts';

interface MediaOptions {
  /**
   * The store to whose signed addresses browsers are redirected. Null if the product sends the
   * files.
   */
  redirect: RemoteFileStore | null;
  /**
   * The internal location of an nginx that serves the store's folder. Undefined: we send the bytes.
   */
  accelPrefix: string | undefined;
  quota: ReadQuota;
  /** Whether the caller may load a file of this name. */
  isVisible: (kind: FileKind, name: string) => Promise<boolean>;
  /** Called for every request for bytes of a recording. */
  onLoad: (name: string) => void;
}

interface FileRoute {
  Params: { filename: string };
}

interface FileCall {
  kind: FileKind;
  request: FastifyRequest<FileRoute>;
  reply: FastifyReply;
}

/**
 * Videos and thumbnails follow HTTP itself (ranges, conditional requests), so the contracts have no
 * endpoint for them.
 */
export function mediaRoutes(app: FastifyInstance, files: FileStore, options: MediaOptions): void {
  for (const kind of Object.keys(FILE_FOLDERS) as FileKind[]) {
    app.route<FileRoute>({
      method: ['GET', 'HEAD'],
      url: `/api/files/${kind}/:filename`,
      config: { role: 'reviewer', scope: 'read' },
      schema: { summary: `The bytes of a ${kind}, whole or a range` },
      handler: async (request, reply) => {
        const { filename } = request.params;
        await options.quota.spend(request, [{ kind, id: filename }]);
        if (!(await options.isVisible(kind, filename))) throw fileNotFound();
        return sendStored(files, options, { kind, request, reply });
      },
    });
  }
}

function sendStored(files: FileStore, options: MediaOptions, call: FileCall) {
  const { redirect, accelPrefix } = options;
  if (accelPrefix !== undefined) return handOver(files, options, { ...call, accelPrefix });
  // A signed address is valid for one method.
  if (redirect && call.request.method === 'GET') return redirectTo(redirect, options, call);
  return sendOpened(files, options, call)
    .catch((error: unknown) => {
      if (isChanged(error) && !call.reply.raw.headersSent) return sendOpened(files, options, call);
      throw error;
    })
    .catch((error: unknown) => {
      throw readError(error);
    });
}

async function sendOpened(files: FileStore, options: MediaOptions, call: FileCall) {
  const { kind, request, reply } = call;
  const name = request.params.filename;
  const opened = await findOrThrow(files.open(kind, name));
  noteLoading(options, call);
  return sendFile(request, reply, { name, opened });
}

async function redirectTo(store: RemoteFileStore, options: MediaOptions, call: FileCall) {
  const { kind, request, reply } = call;
  const name = request.params.filename;
  await findOrThrow(store.stat(kind, name));
  noteLoading(options, call);
  const { 'content-type': contentType, 'content-disposition': contentDisposition } = contentHeaders(name);
  const url = await findOrThrow(store.signedUrl(kind, name, { contentType, contentDisposition }));
  return reply.headers(storedFileHeaders).redirect(url, 302);
}

async function handOver(files: FileStore, options: MediaOptions, call: FileCall & { accelPrefix: string }) {
  const { kind, request, reply, accelPrefix } = call;
  const name = request.params.filename;
  await findOrThrow(files.stat(kind, name));
  noteLoading(options, call);
  return handOverToNginx(reply, name, `${accelPrefix}${FILE_FOLDERS[kind]}/${name}`);
}

function noteLoading({ onLoad }: MediaOptions, { kind, request: { method, params } }: FileCall) {
  if (kind === 'video' && method === 'GET') onLoad(params.filename);
}

interface ThumbnailRoute {
  Params: { id: string };
}

/** A thumbnail that is not stored (yet). Browsers do not request it from its server themselves. */
export function thumbnailRoute(app: FastifyInstance, media: Pick<Media, 'loadThumbnail'>, quota: ReadQuota): void {
  app.get<ThumbnailRoute>(
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

async function findOrThrow<T>(lookup: Promise<T | null>): Promise<T> {
  const result = await lookup.catch((error: unknown) => {
    throw readError(error);
  });
  if (result === null) throw fileNotFound();
  return result;
}

const fileNotFound = () => new AppError('not_found', 'This file does not exist.');

const isChanged = (error: unknown): boolean => error instanceof FileStoreError && error.kind === 'changed';

const readError = (cause: unknown): unknown =>
  cause instanceof FileStoreError
    ? new AppError('unavailable', "This file can't be read right now. Try again later.", { cause })
    : cause;
