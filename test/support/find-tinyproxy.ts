import { existsSync } from 'node:fs';

/** Where Debian's package installs it. */
export const TINYPROXY = '/usr/bin/tinyproxy';

export const HOW_TO_GET_TINYPROXY = 'Tinyproxy is not installed. On Debian and Ubuntu: apt-get install tinyproxy-bin';

export const isTinyproxyInstalled = (): boolean => existsSync(TINYPROXY);
