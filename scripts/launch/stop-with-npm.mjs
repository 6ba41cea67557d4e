// @ts-check
import { IS_WINDOWS } from './run-program.mjs';

const POLL_INTERVAL_MS = 500;

/**
 * Ends this process like SIGTERM when the npm that runs the script `name` has ended. npm passes
 * SIGTERM and SIGINT on to its script, which replaces the shell (`exec` in package.json), but it
 * cannot pass on SIGKILL, and SIGHUP ends it immediately.
 *
 * A launcher that npm did not start outlives its parent, as services, `nohup` and `setsid` need it.
 */
export function stopWithNpm(/** @type {string} */ name) {
  // Programs that the script starts inherit the variable.
  if (process.env.npm_lifecycle_event !== name) return;
  const npm = process.ppid;
  const poll = setInterval(() => {
    if (isParent(npm)) return;
    clearInterval(poll);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_INTERVAL_MS);
  poll.unref();
}

/** On Windows, the id of the parent stays when the parent has ended. */
function isParent(/** @type {number} */ pid) {
  if (!IS_WINDOWS) return process.ppid === pid;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
