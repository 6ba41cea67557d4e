import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from './plain-error.mjs';

/** The Node that this release was tested with; it comes as an optional package, one for each platform. */
export function findPinnedNode(root) {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  // The plain name belongs to somebody else on this one platform.
  const prefix = `${system}-${process.arch}` === 'darwin-arm64' ? 'node-bin' : 'node';
  const name = `${prefix}-${system}-${process.arch}`;
  const program = join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(program)) return program;
  throw new PlainError(
    `Node for this machine is not installed: the package ${name} is missing.\n` +
      'Run `npm ci --include=optional`. Supported are Linux and macOS on x64 and arm64, and Windows on x64.',
  );
}
