import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a tool to its end; resolves with its exit code and what it printed. A signal ends the tool with us: left at work, it would be in
 * the way of the next start. npm heeds signals only between two of its steps, minutes later; killed, it and Vite begin anew next time.
 */
export function runTool(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
  const end = (signal) => {
    child.once('exit', () => process.exit(128 + constants.signals[signal]));
    child.kill('SIGKILL');
  };
  for (const signal of SIGNALS) process.on(signal, end);
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, printed }));
  });
  return ended.finally(() => {
    for (const signal of SIGNALS) process.removeListener(signal, end);
  });
}
