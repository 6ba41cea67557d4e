import { execFile } from 'node:child_process';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The root of the repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** Runs a program until its end. @throws Error with its output if it fails */
export const run = promisify(execFile);

/** Returns what Git prints in this repository. */
export const git = async (...args: string[]): Promise<string> => (await run('git', args, { cwd: ROOT })).stdout.trim();

/** A new folder that is deleted at the end of the block that uses it. */
export const temporaryFolder = (name: string) => mkdtempDisposable(join(tmpdir(), `interviews-${name}-`));
