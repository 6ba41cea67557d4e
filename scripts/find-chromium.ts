import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Without windows, journeys take a quarter less time.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'chrome.exe',
  'microsoft-edge-stable',
  'microsoft-edge',
  'msedge.exe',
];
const USUAL_FOLDERS = [
  '/snap/bin',
  '/opt/google/chrome',
  '/opt/microsoft/msedge',
  'C:\\Program Files\\Google\\Chrome\\Application',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application',
];
const USUAL_PROGRAMS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
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
  const folders = [...(environment.PATH ?? '').split(delimiter), ...USUAL_FOLDERS];
  const candidates = environment.CHROMIUM_PATH
    ? [environment.CHROMIUM_PATH]
    : [
        ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
        ...USUAL_PROGRAMS,
        join(UNPACKED_CHROMIUM, 'start'),
      ];
  return candidates.find(isProgram) ?? null;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
