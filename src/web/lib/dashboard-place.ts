import { createStore } from './store.ts';
import { isItemShown, withoutDialog } from './use-dialog.ts';

/**
 * The parameters of the dashboard when it was last visible in this tab: filters, page and layout.
 * `link` also has the open interview.
 */
const NOWHERE = { query: '', link: '' };
const place = createStore(NOWHERE);

export function rememberDashboard(params: URLSearchParams): void {
  const query = withoutDialog(params).toString();
  place.set({ query, link: isItemShown(params) ? params.toString() : query });
}

export const forgetDashboard = () => place.set(NOWHERE);

const urlOf = (params: string) => (params === '' ? '/' : `/?${params}`);

/** The URL of the dashboard in its last state. */
export const dashboardUrl = () => urlOf(place.get().query);

/** Where a sign-in leads: also to the interview of a link that required it. */
export const urlAfterLogin = () => urlOf(place.get().link);
