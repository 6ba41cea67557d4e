import { writeFile } from 'node:fs/promises';
import { configurationPage } from './docs/configuration-page.ts';
import { eventsPage } from './docs/events-page.ts';
import { licensesPage } from './docs/licenses-page.ts';
import { prometheusRule } from './docs/prometheus-rule.ts';

/**
 * `npm run docs`: writes the generated pages of `docs/` and the alerts for Kubernetes. A test
 * compares them with their sources.
 */
await writeFile(new URL('../docs/CONFIGURATION.md', import.meta.url), configurationPage());
await writeFile(new URL('../docs/EVENTS.md', import.meta.url), await eventsPage());
await writeFile(new URL('../docs/LICENSES.md', import.meta.url), await licensesPage());
await writeFile(new URL('../deploy/monitoring/prometheus-rule.yaml', import.meta.url), await prometheusRule());
