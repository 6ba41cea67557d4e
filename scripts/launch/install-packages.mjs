import { PlainError } from './plain-error.mjs';
import { runTool } from './run-tool.mjs';

/** What npm's words mean, and what to do about it. */
const CAUSES = [
  [
    /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|network/i,
    'The npm registry cannot be reached. Check the network, or the proxy in `npm config`.',
  ],
  [/ENOSPC/, 'The disk is full.'],
  [
    /EACCES|EPERM|EROFS/,
    'This account may not write `node_modules`. Give it this folder, or run as the account that owns it.',
  ],
  [
    /EINTEGRITY/,
    'A package arrived damaged, or the registry serves another one. Run `npm cache verify` and try again.',
  ],
  [
    /can only install packages when your package\.json/,
    'package-lock.json does not fit package.json. Run `npm install`.',
  ],
  [/E40[134]/, 'The npm registry refuses a package. Check `npm config get registry` and its credentials.'],
];

/** Runs `npm ci`, quietly. @throws PlainError with the reason in plain words */
export async function installPackages(root) {
  const started = Date.now();
  console.error('Installing packages. This happens once and takes about a minute.');
  const { code, printed } = await npm(root, [
    'ci',
    '--include=dev',
    '--include=optional',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ]);
  if (code === 0) {
    console.error(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
    return;
  }
  const cause = CAUSES.find(([words]) => words.test(printed))?.[1] ?? 'npm could not install the packages.';
  throw new PlainError(`${cause}\n\nnpm said:\n${printed.trim().split('\n').slice(-12).join('\n')}`);
}

function npm(root, args) {
  // Under `npm run` this names the npm that runs us; otherwise the one on the PATH.
  const script = process.env.npm_execpath;
  const own = script && /npm-cli\.c?js$/.test(script);
  const [command, all] = own ? [process.execPath, [script, ...args]] : ['npm', args];
  const options = { cwd: root, shell: !own && process.platform === 'win32' };
  return runTool(command, all, options).catch((error) => {
    throw new PlainError(`npm cannot be run: ${error.message}. It comes with Node: nodejs.org.`);
  });
}
