import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { RowPath } from './fields.ts';

const MAX_SIGNING_SECRET_LENGTH = 200;
const SIGNING_SECRET_RULE = `must be at most ${MAX_SIGNING_SECRET_LENGTH} characters`;

/** The path at which a service announces changed interviews. Its last part is secret. */
const FunnelWebhook = z.object({
  path: z.string(),
  /**
   * True when the service signs its events. They are rejected until its signing secret is stored.
   */
  isSigned: z.boolean(),
  hasSigningSecret: z.boolean(),
});
export type FunnelWebhook = z.infer<typeof FunnelWebhook>;

export const openWebhook = endpoint({
  method: 'POST',
  path: '/api/funnels/:id/webhook',
  summary: 'The webhook address of a funnel. The first call creates it',
  role: 'recruiter',
  scope: 'write',
  params: RowPath,
  response: FunnelWebhook,
});

export const renewWebhook = endpoint({
  method: 'POST',
  path: '/api/funnels/:id/webhook/renew',
  summary: 'Replaces the webhook address of a funnel. The former one stops working',
  role: 'recruiter',
  scope: 'write',
  params: RowPath,
  response: FunnelWebhook,
});

export const setSigningSecret = endpoint({
  method: 'PUT',
  path: '/api/funnels/:id/webhook/signing-secret',
  summary: 'Stores the secret with which the service signs its events',
  role: 'recruiter',
  scope: 'write',
  params: RowPath,
  body: z.object({
    signingSecret: z.string().trim().min(1, 'is required').max(MAX_SIGNING_SECRET_LENGTH, SIGNING_SECRET_RULE),
  }),
  response: FunnelWebhook,
});
