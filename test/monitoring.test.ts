import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { startSync } from '#contracts/sync.ts';
import { backUp } from '#support/backups.ts';
import { setUpProcessing } from '#support/processing.ts';
import { refresh } from '#support/refreshing.ts';
import { startApp, type TestApp } from '#support/start-app.ts';

const TOKEN = 'a token of the monitors';

const read = (path: string) => readFile(new URL(`../deploy/${path}`, import.meta.url), 'utf8');

/** A series of an expression, or of a scrape: a name and the names of its labels. */
interface Series {
  name: string;
  labels: string[];
}

const OURS = /\b((?:interviews|http|nodejs|process)_\w+)(?:\{([^}]*)\})?/g;

const seriesIn = (text: string): Series[] =>
  [...text.matchAll(OURS)].map(([, name = '', labels = '']) => ({
    name,
    labels: [...labels.matchAll(/(\w+)\s*(?:=|!=|=~|!~)\s*"/g)].map(([, label = '']) => label),
  }));

/** Labels that Prometheus adds. */
const OF_PROMETHEUS = ['instance'];

function missingFrom(scraped: readonly Series[], { name, labels }: Series): string[] {
  const found = scraped.filter((each) => each.name === name);
  if (found.length === 0) return [name];
  const known = new Set(found.flatMap((each) => each.labels));
  return labels
    .filter((label) => !OF_PROMETHEUS.includes(label) && !known.has(label))
    .map((label) => `${name}.${label}`);
}

async function scrape(product: TestApp): Promise<Series[]> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const { body } = await product.anonymous().request({ method: 'GET', url: '/metrics', headers });
  return seriesIn(body.replaceAll(/^#.*$/gm, ''));
}

/** The series of a web process and a worker after some work. The worker has stopped since. */
async function scrapeBoth(): Promise<Series[]> {
  const roles = (ROLES: string) => ({ METRICS_TOKEN: TOKEN, ROLES });
  const {
    sandbox,
    product: worker,
    recruiter,
    done,
  } = await setUpProcessing({ isAlone: false, env: roles('web,worker') });
  await done('transcribe');
  const { database, dataDir, environment } = worker;
  await backUp(environment);
  sandbox.control.fail({ kind: 'status', status: 401 });
  await refresh(worker, recruiter);
  const web = await startApp({ database, dataDir, env: { ...environment, ...roles('web') }, isAlone: false });
  const person = await web.signedIn();
  const working = await scrape(worker);
  await worker.stop();
  await person.call(startSync, { query: { timeframe: 'all' } });
  await sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'created'`.execute(web.db);
  return [...working, ...(await scrape(web))];
}

test('every series of the alerts and the dashboard is in a scrape of a web process or a worker', async () => {
  const [rules, dashboard] = await Promise.all([read('monitoring/rules.yaml'), read('monitoring/dashboard.json')]);
  const alerts = parse(rules).groups.flatMap(({ rules: each }: { rules: { alert: string; expr: string }[] }) => each);
  const { panels } = JSON.parse(dashboard) as { panels: { title: string; targets: { expr: string }[] }[] };
  const expressions = [
    ...alerts.map(({ alert, expr }: { alert: string; expr: string }) => [alert, expr]),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr])),
  ];
  expect(expressions.length).toBeGreaterThan(30);
  const scraped = await scrapeBoth();
  const missing = expressions.flatMap(([name, expr]) => {
    const used = seriesIn(expr);
    return used.length === 0
      ? [`${name}: no series`]
      : used.flatMap((each) => missingFrom(scraped, each).map((what) => `${name}: ${what}`));
  });
  expect(missing).toEqual([]);
}, 60_000);

test('the PodMonitor finds the pods of both Deployments and their port', async () => {
  const { spec } = parse(await read('monitoring/pod-monitor.yaml'));
  const [endpoint] = spec.podMetricsEndpoints;
  expect(endpoint).toMatchObject({ path: '/metrics', authorization: { credentials: { key: 'METRICS_TOKEN' } } });
  for (const role of ['web', 'worker']) {
    const [deployment] = parseAllDocuments(await read(`kubernetes/${role}.yaml`)).map((each) => each.toJS());
    const { metadata, spec: pod } = deployment.spec.template;
    expect(metadata.labels).toMatchObject(spec.selector.matchLabels);
    expect(spec.selector.matchExpressions[0].values).toContain(metadata.labels['app.kubernetes.io/component']);
    expect(pod.containers[0].ports).toContainEqual({ name: endpoint.port, containerPort: 5000 });
  }
});
