// @ts-check
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

// Without windows, journeys take a quarter less time.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'chrome.exe',
];
const USUAL_FOLDERS = [
  '/snap/bin',
  '/opt/google/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application',
];

export const HOW_TO_GET_CHROMIUM =
  'Browser tests need Chromium or Chrome. Install one (`apt-get install -y chromium-headless-shell`) or set CHROMIUM_PATH.';

/**
 * Returns the path of Chromium or Chrome, or null: CHROMIUM_PATH, then the PATH, then the usual
 * folders. `.ci/run` calls it on Node 20 before any package is installed, so this is plain
 * JavaScript.
 *
 * @returns {string | null}
 */
export function findChromium(environment = process.env) {
  const folders = [...(environment.PATH ?? '').split(delimiter), ...USUAL_FOLDERS];
  const candidates = environment.CHROMIUM_PATH
    ? [environment.CHROMIUM_PATH]
    : [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...USUAL_FOLDERS.slice(2, 4)];
  return candidates.find(isProgram) ?? null;
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
