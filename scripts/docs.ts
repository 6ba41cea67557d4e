import { writeFile } from 'node:fs/promises';
import { GENERATED, generate } from './docs/generate.ts';

/**
 * `npm run docs`: updates the generated parts of `docs/` and the alerts for Kubernetes. A test
 * compares them with their sources.
 */
for (const file of GENERATED) await writeFile(new URL(`../${file}`, import.meta.url), await generate(file));
