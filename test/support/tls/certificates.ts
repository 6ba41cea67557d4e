import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The certificate of the private CA that issued the others. */
export const CA_FILE = join(import.meta.dirname, 'ca.crt');

export type CertificateName = 'server' | 'expired' | 'other';

/** A certificate and its key as PEM. */
export const certificateOf = (name: CertificateName) => ({
  cert: readFileSync(join(import.meta.dirname, `${name}.crt`)),
  key: readFileSync(join(import.meta.dirname, `${name}.key`)),
});
