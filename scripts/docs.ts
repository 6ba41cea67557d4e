import { writeFile } from 'node:fs/promises';
import { configurationPage } from './docs/configuration-page.ts';
import { licensesPage } from './docs/licenses-page.ts';

/** `npm run docs`: writes the generated pages of `docs/`. A test compares them with the code. */
await writeFile(new URL('../docs/CONFIGURATION.md', import.meta.url), configurationPage());
await writeFile(new URL('../docs/LICENSES.md', import.meta.url), await licensesPage());
