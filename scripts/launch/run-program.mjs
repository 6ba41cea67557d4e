import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { PlainError } from './plain-error.mjs';

/**
 * Runs it in the foreground until it ends; resolves with its exit code. Whatever it starts by the name `node` is the pinned Node too.
 * One that `staysUp` hears by the end of its channel to us that we were killed: left behind, it would keep its port and its data.
 *
 * @param {{ root: string; node: string }} place
 * @param {{ program: string; staysUp?: boolean }} target
 * @param {string[]} args
 */
export function runProgram({ root, node }, { program, staysUp }, args) {
  const PATH = [join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter);
  const child = spawn(node, [join(root, program), ...args], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', ...(staysUp ? ['ipc'] : [])],
    env: { ...process.env, PATH },
  });

  // A terminal gives Ctrl-C, and its own end, to every process in it: passing those on would be a second Ctrl-C.
  const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => terminal || child.kill(signal));

  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new PlainError(`${node} cannot run on this system: ${error.message}`)));
    child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}
