import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import {
  FILE_FOLDERS,
  type FileKind,
  type FileStore,
  FileStoreError,
  type RemoteFileStore,
} from '#server/ports/file-store.ts';
import { contentHeaders, storedFileHeaders } from './file-headers.ts';
import { hideMetadata } from './hidden-metadata.ts';
import { handOverToNginx, sendFile } from './send-file.ts';

interface StoredFilesDeps {
  files: FileStore;
  /**
   * The internal location of an nginx that serves the store's folder. Undefined: we send the bytes.
   */
  accelPrefix: string | undefined;
}

interface StoredFileCall {
  kind: FileKind;
  name: string;
  /** In the response, if it differs from `name`. */
  shownName?: string;
  /** Sends no titles and names that the file contains about itself. */
  isAnonymous?: boolean;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Called when the file exists. */
  onFound?: () => void;
}

/** Responds with files of the store: whole, one range, or as a redirect to a bucket. */
export class StoredFiles {
  readonly #deps: StoredFilesDeps;

  constructor(deps: StoredFilesDeps) {
    this.#deps = deps;
  }

  /** @throws AppError not_found, unavailable, range_not_satisfiable */
  send(call: StoredFileCall): Promise<FastifyReply> {
    const { accelPrefix } = this.#deps;
    if (accelPrefix !== undefined && !call.isAnonymous) return this.#handOver(call, accelPrefix);
    return this.#sendOpened(call)
      .catch((error: unknown) => {
        if (isChanged(error) && !call.reply.raw.headersSent) return this.#sendOpened(call);
        throw error;
      })
      .catch((error: unknown) => {
        throw readError(error);
      });
  }

  /** Redirects to a signed URL of the store, which is valid for some minutes. */
  async redirect(store: RemoteFileStore, { kind, name, reply, onFound }: StoredFileCall): Promise<FastifyReply> {
    await findOrThrow(store.stat(kind, name));
    onFound?.();
    const { 'content-type': contentType, 'content-disposition': contentDisposition } = contentHeaders(name);
    const url = await findOrThrow(store.signedUrl(kind, name, { contentType, contentDisposition }));
    return reply.headers(storedFileHeaders).redirect(url, 302);
  }

  async #sendOpened({ kind, name, shownName = name, isAnonymous, request, reply, onFound }: StoredFileCall) {
    const opened = await findOrThrow(this.#deps.files.open(kind, name));
    onFound?.();
    const shown = isAnonymous ? await hideMetadata(opened, { kind, name }) : opened;
    return sendFile(request, reply, { name: shownName, opened: shown });
  }

  async #handOver({ kind, name, shownName = name, reply, onFound }: StoredFileCall, accelPrefix: string) {
    await findOrThrow(this.#deps.files.stat(kind, name));
    onFound?.();
    return handOverToNginx(reply, shownName, `${accelPrefix}${FILE_FOLDERS[kind]}/${name}`);
  }
}

async function findOrThrow<T>(lookup: Promise<T | null>): Promise<T> {
  const result = await lookup.catch((error: unknown) => {
    throw readError(error);
  });
  if (result === null) throw fileNotFound();
  return result;
}

export const fileNotFound = () => new AppError('not_found', 'This file does not exist.');

const isChanged = (error: unknown): boolean => error instanceof FileStoreError && error.kind === 'changed';

const readError = (cause: unknown): unknown =>
  cause instanceof FileStoreError
    ? new AppError('unavailable', "This file can't be read right now. Try again later.", { cause })
    : cause;
