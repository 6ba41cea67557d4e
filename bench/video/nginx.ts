import { isNginxInstalled, type Nginx, startNginx } from '#support/nginx.ts';

/**
 * Starts an nginx that serves a folder with its usual settings (sendfile). Returns null if nginx is
 * not installed.
 */
export async function startFileServer(root: string): Promise<Nginx | null> {
  if (!isNginxInstalled()) return null;
  return startNginx(`sendfile on;
  keepalive_requests 1000000;
  server { root ${root}; }`);
}
