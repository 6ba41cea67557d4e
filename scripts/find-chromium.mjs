// @ts-check
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'chrome.exe'];
const USUAL_PLACES = [
  '/snap/bin',
  '/opt/google/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application',
];

/** Said once, where tests need a browser and there is none. */
export const HOW_TO_GET_CHROMIUM =
  'The browser tests need Chromium or Chrome: run `apt-get install -y chromium` (or install Chrome), or set CHROMIUM_PATH to its program.';

/**
 * The machine's own Chromium or Chrome: CHROMIUM_PATH, then the PATH, then where it is usually installed. Null when there is none.
 * `.ci/run` asks it on Node 20 before there is any package, so this is plain JavaScript.
 *
 * @returns {string | null}
 */
export function findChromium(environment = process.env) {
  const folders = [...(environment.PATH ?? '').split(delimiter), ...USUAL_PLACES];
  const candidates = environment.CHROMIUM_PATH
    ? [environment.CHROMIUM_PATH]
    : [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...USUAL_PLACES.slice(2, 4)];
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
