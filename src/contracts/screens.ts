/** The screens of the browser application. The server answers any other path with the application's 404 card and status 404. */
export const SCREENS = ['/', '/login', '/funnels', '/system-logs', '/test-destination'] as const;

/**
 * What the browser asks for first on the dashboard as it opens without filters. The server names them with the page, so that they are
 * read while its code loads; a test of the page holds them to what it really asks.
 */
export const DASHBOARD_READS = ['/api/user', '/api/interviews?page=1&limit=10&status=all&texts=false'] as const;
