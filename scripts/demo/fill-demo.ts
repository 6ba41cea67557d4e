import type { Account } from '#contracts/accounts.ts';
import type { Funnel, FunnelForm } from '#contracts/funnels.ts';
import type { NewOutgoingWebhook, OutgoingWebhook } from '#contracts/outgoing-webhooks.ts';
import { PUBLIC_EVENT_NAMES } from '#contracts/public-events.ts';
import type { Role } from '#contracts/rules/roles.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import type { Recruiter } from '#support/recruiter.ts';

/** The places of the funnels that have interviews from the beginning. */
const REFRESHED = [1, 2, 4, 5];

/** People of the simulated identity provider, with the place of the only funnel that they see. */
const PEOPLE: readonly { username: string; role: Role; funnel?: number }[] = [
  { username: 'riley', role: 'recruiter', funnel: 1 },
  { username: 'robin', role: 'recruiter', funnel: 0 },
  { username: 'casey', role: 'reviewer' },
];
export const PASSWORD_OF_PEOPLE = 'try-the-demo';

/** Adds funnels, people and a webhook that reports to the sandbox, unless they exist already. */
export async function fillDemo(recruiter: Recruiter, sandbox: Sandbox): Promise<void> {
  const funnels = await recruiter.call<Funnel[]>('GET', '/api/funnels');
  if (funnels.length === 0) await addFunnels(recruiter, [...sandbox.funnels, ...vendorFunnels(sandbox)]);
  await invitePeople(recruiter);
  const webhook: NewOutgoingWebhook = {
    url: `${sandbox.receiverUrl}/demo`,
    events: PUBLIC_EVENT_NAMES,
    format: 'json',
    includePersonalData: true,
  };
  const webhooks = await recruiter.call<OutgoingWebhook[]>('GET', '/api/webhooks');
  if (webhooks.length === 0) await recruiter.call('POST', '/api/webhooks', webhook);
  await recruiter.call('POST', '/api/logout');
}

/** A funnel for each vendor, and one for uploads. */
export const vendorFunnels = ({ hireflix, videoask }: Sandbox): Partial<FunnelForm>[] => [
  {
    name: 'Product Designer',
    clientName: 'Northwind Health',
    source: 'hireflix',
    apiKey: hireflix.apiKey,
    funnelId: hireflix.positionId,
  },
  {
    name: 'Barista',
    clientName: 'Corner Coffee',
    source: 'videoask',
    apiKey: videoask.organization,
    funnelId: videoask.formId,
  },
  // Uploads use neither a key nor an id, but the API requires both.
  { name: 'Electrician', clientName: 'Brightline Power', source: 'upload', apiKey: 'none', funnelId: 'none' },
];

/** The list shows the newest funnel first, so the active one is added last. */
async function addFunnels(recruiter: Recruiter, forms: readonly Partial<FunnelForm>[]): Promise<void> {
  for (const [place, form] of [...forms.entries()].toReversed()) {
    const funnel = await recruiter.funnel(form);
    if (REFRESHED.includes(place)) await recruiter.refresh(funnel);
    if (place === 0) await recruiter.activate(funnel);
  }
}

/** Through invitations, as an administrator would. */
async function invitePeople(recruiter: Recruiter): Promise<void> {
  const accounts = await recruiter.call<Account[]>('GET', '/api/accounts');
  const funnels = await recruiter.call<Funnel[]>('GET', '/api/funnels');
  const missing = PEOPLE.filter(({ username }) => !accounts.some((account) => account.username === username));
  for (const { username, role, funnel } of missing) {
    const visible = funnels[funnel ?? -1];
    const { invitation } = await recruiter.call<{ invitation: { link: string } }>('POST', '/api/accounts', {
      username,
      role,
      email: `${username}@example.com`,
      allFunnels: funnel === undefined,
      funnelIds: visible ? [visible.id] : [],
    });
    const token = new URL(invitation.link).pathname.split('/').at(-1);
    await recruiter.call('POST', `/api/invitations/${token}`, { newPassword: PASSWORD_OF_PEOPLE });
  }
}
