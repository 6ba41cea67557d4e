import type { Account } from '#contracts/accounts.ts';
import type { Funnel } from '#contracts/funnels.ts';
import type { Role } from '#contracts/rules/roles.ts';
import { get, post, signIn } from './demo-client.ts';

interface DemoPerson {
  username: string;
  role: Role;
  /** The index of the only funnel that the person sees. Default: all funnels. */
  funnel?: number;
}

/** Match the e-mail addresses at the simulated identity provider. */
const PEOPLE: readonly DemoPerson[] = [
  { username: 'riley', role: 'recruiter', funnel: 1 },
  { username: 'robin', role: 'recruiter', funnel: 0 },
  { username: 'casey', role: 'reviewer' },
];
export const PASSWORD_OF_PEOPLE = 'try-the-demo';

/** Adds missing accounts of the demo through invitations, as an administrator would. */
export async function inviteDemoPeople(
  address: string,
  credentials: { username: string; password: string },
): Promise<void> {
  const headers = await signIn(address, credentials);
  if (!headers) return;
  const accounts = await get<Account[]>(`${address}/api/accounts`, headers);
  const funnels = await get<Funnel[]>(`${address}/api/funnels`, headers);
  for (const { username, role, funnel } of PEOPLE) {
    if (accounts.some((account) => account.username === username)) continue;
    const visible = funnel === undefined ? undefined : funnels[funnel];
    const { invitation } = await post<{ invitation: { link: string } }>(
      `${address}/api/accounts`,
      {
        ...{ username, role, email: `${username}@example.com` },
        ...{ allFunnels: funnel === undefined, funnelIds: visible ? [visible.id] : [] },
      },
      headers,
    );
    const token = new URL(invitation.link).pathname.split('/').at(-1);
    await post(`${address}/api/invitations/${token}`, { newPassword: PASSWORD_OF_PEOPLE });
  }
  await fetch(`${address}/api/logout`, { method: 'POST', headers });
}
