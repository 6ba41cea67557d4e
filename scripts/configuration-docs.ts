import { writeFile } from 'node:fs/promises';
import { configurationDocs } from './configuration-docs/configuration-docs.ts';
import { licencesPage } from './packages/licences-page.ts';

/** Writes `docs/CONFIGURATION.md` and `docs/LICENSES.md`; a test checks that they are what the code and the lock file say. */
await writeFile(new URL('../docs/CONFIGURATION.md', import.meta.url), configurationDocs());
await writeFile(new URL('../docs/LICENSES.md', import.meta.url), await licencesPage());
