import { spawn } from 'node:child_process';
import { ROOT } from './steps/workspace.ts';

const start = (args: readonly string[], env: NodeJS.ProcessEnv) =>
  spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });

/**
 * `npm run dev`: the demo with a server that restarts on changes, behind Vite, which replaces
 * changed modules. Open the URL that Vite prints.
 */
const children = [
  start(['--watch-path=src/server', '--watch-path=src/contracts', 'scripts/demo.ts'], { PORT: '5000' }),
  start(['node_modules/vite/bin/vite.js'], { VITE_API_TARGET: 'http://127.0.0.1:5000' }),
];
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
for (const child of children) child.on('exit', stop);
