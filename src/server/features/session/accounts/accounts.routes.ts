import type { FastifyRequest } from 'fastify';
import {
  acceptInvitation,
  deleteAccount,
  getInvitation,
  type Invitation,
  inviteAccount,
  listAccounts,
  renewInvitation,
  updateAccount,
} from '#contracts/accounts.ts';
import type { App } from '#server/http/app.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { publicOrigin } from '#server/http/guards/origin.ts';
import { signedInUser } from '#server/http/guards/session-guard.ts';
import { route } from '#server/http/route.ts';
import type { AccountAdministration } from './account-administration.ts';
import type { Invitations, NewInvitation } from './invitations.ts';

interface Services {
  accounts: AccountAdministration;
  invitations: Invitations;
}

export function accountRoutes(app: App, { accounts, invitations }: Services): void {
  route(app, listAccounts, () => accounts.list());

  route(app, inviteAccount, async ({ body }, { request }) => {
    const { account, invitation } = await accounts.invite(body, linkTo(request));
    return { account, invitation: viewInvitation(invitation, request) };
  });

  route(app, updateAccount, ({ params, body }, { request }) =>
    accounts.update(params.id, body, signedInUser(request).accountId),
  );

  route(app, deleteAccount, async ({ params }, { request }) => {
    await accounts.delete(params.id, signedInUser(request).accountId);
    return { message: 'Account deleted' };
  });

  route(app, renewInvitation, async ({ params }, { request }) =>
    viewInvitation(await accounts.renewInvitation(params.id, linkTo(request)), request),
  );

  route(app, getInvitation, async ({ params }, { request }) => {
    const { username } = await invitations.find(params.token, clientAddress(request));
    return { username };
  });

  route(app, acceptInvitation, async ({ params, body }, { request }) => {
    await invitations.accept(params.token, body.newPassword, clientAddress(request));
    return { message: 'Password set' };
  });
}

const linkTo = (request: FastifyRequest) => (token: string) => `${publicOrigin(request)}/invitation/${token}`;

const viewInvitation = ({ token, expiresAt }: NewInvitation, request: FastifyRequest): Invitation => ({
  link: linkTo(request)(token),
  expiresAt: expiresAt.toISOString(),
});
