import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Code, User } from './session.ts';

export const confirmIdentity = endpoint({
  method: 'POST',
  path: '/api/login/oidc/confirm',
  summary: 'Links the person who just signed in at the provider to an existing account, and signs them in',
  role: 'open',
  scope: null,
  body: z.object({
    password: z.string().min(1, 'is required').max(1_000),
    /**
     * With a second factor, a correct password without a code fails with `second_factor_required`.
     */
    code: Code.optional(),
  }),
  response: User,
});
