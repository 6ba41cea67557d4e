import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const API = 'http://127.0.0.1:5000';

/**
 * `npm run dev`: the demo with a server that restarts on changes, behind Vite, which replaces
 * changed modules. Open the address that Vite prints.
 */
const children = [
  spawn(process.execPath, ['--watch-path=src/server', '--watch-path=src/contracts', 'scripts/demo.ts'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, PORT: '5000' },
  }),
  spawn(process.execPath, ['node_modules/vite/bin/vite.js'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, VITE_API_TARGET: API },
  }),
];
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
for (const child of children) child.on('exit', stop);
