/** The screens of the browser application. The server answers any other path with the application's 404 card and status 404. */
export const SCREENS = ['/', '/login', '/funnels', '/system-logs', '/test-destination'] as const;
