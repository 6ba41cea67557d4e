import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cannotRunHere, runTool } from './run-tool.ts';

interface DebianOptions {
  /** Where mmdebstrap may leave files when it is killed. */
  temporary: string;
  limitMs: number;
}

/**
 * Writes the file system of a minimal Debian. mmdebstrap mounts folders in it; they are unmounted
 * with its own namespace, even when it is killed.
 * @throws CannotRunHere when Debian's packages cannot be downloaded
 */
export const makeDebian = (target: string, args: readonly string[], options: DebianOptions) =>
  runTool(
    'unshare',
    ['--mount', 'mmdebstrap', '--quiet', '--variant=minbase', ...args, 'bookworm', target],
    options,
  ).catch(cannotRunHere);

/** Copies Node and npm into a file system, and the certificate authority that npm needs. */
export async function putNode(root: string, node: string, npm: string): Promise<void> {
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
  await cp(node, join(root, 'usr/local/bin/node'));
  await cp(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  const script = '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n';
  await writeFile(join(root, 'usr/local/bin/npm'), script, { mode: 0o755 });
  // npm needs the certificate authority of a network that inspects HTTPS.
  if (certificates) await cp(certificates, join(root, certificates), { dereference: true });
}
