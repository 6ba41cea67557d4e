import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';

/** Returns why UPLOAD_FOLDER cannot be used and what to do, or null. */
export async function findFolderProblem(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return `UPLOAD_FOLDER is not a folder: ${folder}. ${ADVICE}`;
    await access(folder, constants.R_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    return `UPLOAD_FOLDER ${problem}: ${folder}. ${ADVICE}`;
  }
}

const ADVICE = 'Create the folder and give this account access, or correct or unset UPLOAD_FOLDER.';
