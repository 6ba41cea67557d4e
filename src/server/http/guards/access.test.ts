import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { buildApp } from '#server/http/app.ts';
import { declareAccess } from './access.ts';
import type { SignedIn } from './session-guard.ts';

async function build(signedIn: SignedIn | null = null) {
  const sessions = { findSession: () => signedIn && { signedIn } };
  const app = await buildApp({ log: pino({ level: 'silent' }), trustProxy: false, sessions });
  onTestFinished(() => app.close());
  return app;
}

test('the process does not start with a route that declares no access', async () => {
  const app = await build();
  app.get('/declared', { config: { role: 'open', scope: null } }, () => ({}));
  app.get('/forgotten', () => ({}));
  await app.register(async (scope) => void scope.post('/also-forgotten', () => ({})));
  await expect(app.ready()).rejects.toThrow(
    /^Add config\.role and config\.scope to these routes: GET \/forgotten, HEAD \/forgotten, POST \/also-forgotten$/,
  );
});

test('a scope declares the access of all its routes, for GET and HEAD', async () => {
  const app = await build();
  await app.register(async (scope) => {
    declareAccess(scope, { role: 'open', scope: null });
    scope.get('/open', () => ({}));
  });
  await app.register(async (scope) => {
    declareAccess(scope, { role: 'reviewer', scope: null });
    scope.get('/guarded', () => ({}));
  });
  for (const method of ['GET', 'HEAD'] as const) {
    expect((await app.inject({ method, url: '/open' })).statusCode).toBe(200);
    expect((await app.inject({ method, url: '/guarded' })).statusCode).toBe(401);
  }
});
