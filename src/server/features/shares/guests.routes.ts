import { extname } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { RowId, TokenPath } from '#contracts/fields.ts';
import { commentShared, decideShared, getSharedPage, openShare, recordSharedWatching } from '#contracts/shares.ts';
import { AppError } from '#server/app-error.ts';
import type { App } from '#server/http/app.ts';
import { clientAddress } from '#server/http/client-address.ts';
import type { StoredFiles } from '#server/http/files/stored-files.ts';
import { refuseNul } from '#server/http/guards/refuse-nul.ts';
import { route } from '#server/http/route.ts';
import { guestPageHeaders } from '#server/http/security-headers.ts';
import { FILE_FOLDERS, type FileKind } from '#server/ports/file-store.ts';
import type { GuestPage } from './guest-page.ts';
import type { GuestRequest, Guests } from './guests.service.ts';
import type { GuestCookie } from './share-tokens.ts';

interface GuestFiles {
  files: StoredFiles;
  /** Null: only the API of links is served. */
  page: GuestPage | null;
}

/** The routes of links, which need no session. */
export async function guestRoutes(app: App, guests: Guests, { files, page }: GuestFiles): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('x-robots-tag', 'noindex, nofollow');
    });
    const api = scope as unknown as App;
    route(api, openShare, async ({ body }, { request, reply }) => {
      setGuestCookie(request, reply, await guests.open(guestOf(request), body.passcode ?? null));
    });
    route(api, getSharedPage, (_input, { request }) => guests.findPage(guestOf(request)));
    route(api, recordSharedWatching, ({ body }, { request }) => guests.recordWatching(guestOf(request), body));
    route(api, decideShared, ({ body }, { request }) => guests.decide(guestOf(request), body));
    route(api, commentShared, ({ body }, { request }) => guests.comment(guestOf(request), body));
    fileRoutes(api, guests, files);
    pageRoute(api, guests, page);
  });
}

/** Every link that does not work gets the same page with status 404. */
function pageRoute(app: App, guests: Guests, page: GuestPage | null): void {
  app.get(
    '/s/:token',
    {
      config: { role: 'open', scope: null },
      preValidation: refuseNul,
      schema: { params: TokenPath, summary: 'The page of a link' },
    },
    async (request, reply) => {
      const greeting = await guests.greet(guestOf(request)).catch((error: unknown) => {
        if (page !== null && error instanceof AppError && error.code === 'not_found') return null;
        throw error;
      });
      if (page === null) throw new AppError('not_found', 'The page of links is not built.');
      return reply
        .code(greeting === null ? 404 : 200)
        .headers(guestPageHeaders)
        .send(page(greeting));
    },
  );
}

const ItemPath = TokenPath.extend({ n: RowId });
interface ItemRoute {
  Params: z.output<typeof ItemPath>;
}

const options = (summary: string) => ({
  config: { role: 'open' as const, scope: null },
  preValidation: refuseNul,
  schema: { params: ItemPath, summary },
});

/**
 * The bytes of an item. Never redirects to a signed bucket URL, which would outlive the link.
 * Neither file names nor metadata identify the candidate.
 */
function fileRoutes(app: App, guests: Guests, files: StoredFiles): void {
  for (const kind of Object.keys(FILE_FOLDERS) as FileKind[])
    app.get<ItemRoute>(
      `/s/:token/${kind}/:n`,
      options(`The bytes of the ${kind} of an item, whole or a range`),
      async (request, reply) => {
        const { n } = request.params;
        const name = await guests.findFile(guestOf(request), n, kind);
        const shownName = `${kind}-${n}${extname(name)}`;
        return files.send({ kind, name, shownName, isAnonymous: true, request, reply });
      },
    );
  app.get<ItemRoute>('/s/:token/captions/:n', options('The captions of an item as WebVTT'), async (request, reply) => {
    const { n } = request.params;
    const text = await guests.findCaptions(guestOf(request), n);
    return reply
      .header('content-disposition', `inline; filename="captions-${n}.vtt"`)
      .type('text/vtt; charset=utf-8')
      .send(text);
  });
}

const guestOf = (request: FastifyRequest): GuestRequest => ({
  token: (request.params as z.output<typeof TokenPath>).token,
  cookie: request.cookies[cookieName(request)],
  address: clientAddress(request),
});

/** Browsers accept the prefix over HTTPS only. `__Host-` would need the path `/`. */
const cookieName = (request: FastifyRequest) => (request.protocol === 'https' ? '__Secure-link' : 'link');

/** Sent to this link only, and never with a request from another site. */
function setGuestCookie(request: FastifyRequest, reply: FastifyReply, { value, maxAgeSeconds }: GuestCookie): void {
  const { token } = request.params as z.output<typeof TokenPath>;
  reply.setCookie(cookieName(request), value, {
    path: `/s/${encodeURIComponent(token)}`,
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https',
    maxAge: maxAgeSeconds,
  });
}
