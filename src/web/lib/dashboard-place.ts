/** What the address of the dashboard said when it was left in this tab: filters, page and layout. */
let query = '';

export function rememberDashboard(left: string): void {
  query = left;
}

/** Leads back to the dashboard as it was left. */
export const dashboardAddress = () => (query === '' ? '/' : `/?${query}`);
