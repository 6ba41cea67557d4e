import { existsSync } from 'node:fs';

/** Debian's interpreter: the packages below install their modules for it. */
export const PYTHON = '/usr/bin/python3';

const PROGRAMS = ['account', 'container', 'object', 'proxy'].map((kind) => `/usr/bin/swift-${kind}-server`);

export const HOW_TO_GET_SWIFT =
  'OpenStack Swift is not installed. On Debian and Ubuntu: apt-get install swift-account swift-container swift-object swift-proxy';

export const isSwiftInstalled = (): boolean => [PYTHON, ...PROGRAMS].every((path) => existsSync(path));
