import type { Readable } from 'node:stream';
import { DataStore, type Lock, type Locker, MemoryLocker, Server, Upload } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '#contracts/errors.ts';
import { AppError } from '#server/app-error.ts';
import type { App } from '#server/http/app.ts';
import { signedInUser } from '#server/http/guards/session-guard.ts';
import { currentActor } from '#server/request-context.ts';
import type { Uploads } from './uploads.service.ts';

/** The media type of a tus PATCH. */
const OFFSET_STREAM = 'application/offset+octet-stream';
/** The headers of the protocol. The library receives no others. */
const REQUEST_HEADERS = ['tus-resumable', 'upload-offset', 'content-type', 'content-length'];
const RESPONSE_HEADERS = ['tus-resumable', 'upload-offset', 'upload-length'];

interface ContentRoute {
  Params: { id: string };
}

/**
 * Serves the bytes of uploads through the tus protocol 1.0
 * (https://tus.io/protocols/resumable-upload): HEAD returns how much has arrived, PATCH appends.
 * Uploads are created and deleted through the contract.
 */
export async function tusRoutes(app: App, uploads: Uploads): Promise<void> {
  const locker = new MemoryLocker();

  async function handle(request: FastifyRequest<ContentRoute>, reply: FastifyReply) {
    signedInUser(request);
    let failure: unknown;
    const stopping = new AbortController();
    // One per request, because the store needs the body of the request.
    const server = new Server({
      path: '/api/uploads',
      datastore: new UploadStore(uploads, request.raw, stopping.signal),
      locker: claimedLocker(uploads, locker, stopping),
      // No other site may read our responses.
      allowedOrigins: [],
      getFileIdFromRequest: ({ url }) => new URL(url).pathname.split('/').at(-2),
      onUploadFinish: async (_request, { id }) => {
        await uploads.endReceiving(id);
        return {};
      },
      onResponseError: (_request, error) => {
        failure = error;
        return undefined;
      },
    });
    const response = await server.handleWeb(tusRequest(request));
    // The rest of the body was not read, so the connection cannot be used again.
    if (request.method === 'PATCH' && !request.raw.readableEnded) reply.header('connection', 'close');
    if (response.status >= 400) throw toError(failure, response);
    for (const name of RESPONSE_HEADERS) {
      const value = response.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    return reply.code(response.status).send();
  }

  await app.register(async (scope) => {
    // Leaves the body unread for the store.
    scope.addContentTypeParser(OFFSET_STREAM, (_request, _payload, done) => done(null));
    for (const [method, summary] of METHODS)
      scope.route<ContentRoute>({
        method,
        url: '/api/uploads/:id/content',
        config: { role: 'recruiter', scope: 'write' },
        schema: { summary, tags: ['Uploads'] },
        handler: handle,
      });
  });
}

const METHODS = [
  ['HEAD', 'How many bytes of an upload have arrived (tus 1.0)'],
  ['PATCH', 'Appends bytes to an upload (tus 1.0)'],
] as const;

/** Returns the part of a request that the library reads. The store reads the body. */
function tusRequest({ method, params, headers }: FastifyRequest<ContentRoute>): Request {
  const copied = new Headers();
  for (const name of REQUEST_HEADERS) if (typeof headers[name] === 'string') copied.set(name, headers[name]);
  const url = `http://localhost/api/uploads/${encodeURIComponent(params.id)}/content`;
  return { method, url, headers: copied, body: null } as unknown as Request;
}

const CODES: Record<number, ErrorCode> = { 404: 'not_found', 409: 'conflict', 413: 'body_too_large' };

/** Keeps the code of our errors, and adds a code to the protocol's errors. */
function toError(failure: unknown, { status }: Response): unknown {
  if (failure instanceof Error && !('status_code' in failure)) return failure;
  const body = (failure as { body?: string } | undefined)?.body?.trim();
  return new AppError(CODES[status] ?? 'invalid_input', body || 'This is not a valid request of the tus protocol.');
}

/**
 * The product's uploads as the library reads and writes them. The body does not pass through the
 * library: its web streams take longer than the disk.
 */
class UploadStore extends DataStore {
  readonly #uploads: Uploads;
  readonly #body: Readable;
  readonly #stopping: AbortSignal;
  #size = 0;
  #received = 0;

  constructor(uploads: Uploads, body: Readable, stopping: AbortSignal) {
    super();
    this.#uploads = uploads;
    this.#body = body;
    this.#stopping = stopping;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { size, received } = await this.#uploads.findContent({ id, accountId: currentActor().accountId ?? 0 });
    this.#size = size;
    this.#received = received;
    return new Upload({ id, size, offset: received });
  }

  override async write(_stream: Readable, id: string): Promise<number> {
    // The partial file may have become the recording. Further bytes would begin a new one.
    if (this.#received === this.#size) throw new AppError('conflict', 'All bytes of this upload have arrived.');
    return this.#uploads.append(id, this.#body, { size: this.#size, signal: this.#stopping });
  }
}

/**
 * Allows one writer per upload. The request that holds the lock is asked to stop, because its
 * client has reconnected.
 */
function claimedLocker(uploads: Uploads, memory: Locker, stopping: AbortController): Locker {
  return {
    newLock(id): Lock {
      const lock = memory.newLock(id);
      const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
      return {
        async lock(signal) {
          await lock.lock(signal, () => stopping.abort());
          const claimed = Promise.withResolvers<void>();
          uploads.claims
            .runTakingOver(id, { signal, stop: () => stopping.abort() }, () => {
              claimed.resolve();
              return unlocked;
            })
            .catch(claimed.reject);
          await claimed.promise.catch(async (error: unknown) => {
            await lock.unlock();
            throw error;
          });
        },
        async unlock() {
          unlock();
          await lock.unlock();
        },
      };
    },
  };
}
