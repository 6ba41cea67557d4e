import { hasRole, type Role } from '#contracts/rules/roles.ts';

/** The rights of a socket's account. */
export interface Rights {
  role: Role;
  /** The funnels that the account sees. Null: all of them. */
  funnelIds: readonly number[] | null;
}

export interface Receiver extends Rights {
  accountId: number;
}

/** Sockets whose accounts see the same funnels share one array, so it identifies them. */
export type IsReceiver = (receiver: Receiver) => boolean;

export const EVERYONE: IsReceiver = () => true;

/**
 * Matches receivers that see one of the funnels. Decides once for each array of visible funnels.
 */
export function seesAnyOf(funnelIds: readonly number[]): IsReceiver {
  const decided = new Map<Rights['funnelIds'], boolean>();
  return ({ funnelIds: visible }) => {
    if (visible === null) return true;
    const known = decided.get(visible);
    if (known !== undefined) return known;
    const isVisible = funnelIds.some((id) => visible.includes(id));
    decided.set(visible, isVisible);
    return isVisible;
  };
}

/** Matches receivers with at least this role that see all funnels or are the given account. */
export const seesAllOrIs =
  (accountId: number | null, role: Role): IsReceiver =>
  (receiver) =>
    hasRole(receiver.role, role) && (receiver.funnelIds === null || receiver.accountId === accountId);

export const areSameRights = (a: Rights, b: Rights): boolean =>
  a.role === b.role && a.funnelIds?.join() === b.funnelIds?.join();
