import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import which from 'which';

/** On Windows, `which` adds `.exe`. */
const NAMES = [
  // Without windows, journeys take a quarter less time.
  'chromium-headless-shell',
  ...['chromium', 'chromium-browser', 'Chromium'],
  ...['google-chrome-stable', 'google-chrome', 'chrome', 'Google Chrome'],
  ...['microsoft-edge-stable', 'microsoft-edge', 'msedge', 'Microsoft Edge'],
];
const USUAL_FOLDERS = [
  '/snap/bin',
  '/opt/google/chrome',
  '/opt/microsoft/msedge',
  ...['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) => `/Applications/${name}.app/Contents/MacOS`),
  'C:\\Program Files\\Google\\Chrome\\Application',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application',
];

/** Where `install-chromium.ts` unpacks Chromium from npm. */
export const UNPACKED_CHROMIUM = fileURLToPath(new URL('../test/browser/node_modules/.unpacked', import.meta.url));

export const HOW_TO_GET_CHROMIUM =
  'Install Chromium, Chrome or Edge (Debian: apt-get install -y chromium-headless-shell) or set CHROMIUM_PATH.';

/**
 * Returns the path of Chromium, Chrome or Edge, or null: CHROMIUM_PATH, then the PATH, the usual
 * folders, and the one that `installChromium` has unpacked.
 */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | null {
  const { PATH = '', CHROMIUM_PATH } = environment;
  const path = [PATH, ...USUAL_FOLDERS].join(delimiter);
  const programs = CHROMIUM_PATH ? [CHROMIUM_PATH] : [...NAMES, join(UNPACKED_CHROMIUM, 'start')];
  return programs.map((program) => which.sync(program, { path, nothrow: true })).find(Boolean) ?? null;
}
