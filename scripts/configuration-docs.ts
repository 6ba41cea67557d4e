import { writeFile } from 'node:fs/promises';
import { configurationDocs } from './configuration-docs/configuration-docs.ts';

/** Writes `docs/CONFIGURATION.md`; a test checks that it is what the code says. */
await writeFile(new URL('../docs/CONFIGURATION.md', import.meta.url), configurationDocs());
