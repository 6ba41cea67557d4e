import { isItemShown, withoutDialog } from './use-dialog.ts';

/**
 * The parameters of the dashboard when it was last visible in this tab: filters, page and layout.
 */
let query = '';
/** Like above, with the open interview. */
let link = '';

export function rememberDashboard(params: URLSearchParams): void {
  query = withoutDialog(params).toString();
  link = isItemShown(params) ? params.toString() : query;
}

export function forgetDashboard(): void {
  query = '';
  link = '';
}

const urlOf = (params: string) => (params === '' ? '/' : `/?${params}`);

/** The URL of the dashboard in its last state. */
export const dashboardUrl = () => urlOf(query);

/** Where a sign-in leads: also to the interview of a link that required it. */
export const urlAfterLogin = () => urlOf(link);
