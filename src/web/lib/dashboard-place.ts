/**
 * The parameters of the dashboard when it was last visible in this tab: filters, page and layout.
 */
let query = '';

export function rememberDashboard(params: string): void {
  query = params;
}

/** The address of the dashboard as it was left. */
export const dashboardAddress = () => (query === '' ? '/' : `/?${query}`);
