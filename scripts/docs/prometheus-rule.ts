import { readFile } from 'node:fs/promises';

const RULES = new URL('../../deploy/monitoring/rules.yaml', import.meta.url);

const HEAD = `# For the Prometheus operator. Written by \`npm run docs\` from rules.yaml.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: interviews
  labels:
    app.kubernetes.io/name: interviews
spec:
`;

/** Returns the rules as a resource of Kubernetes. */
export async function prometheusRule(): Promise<string> {
  const lines = (await readFile(RULES, 'utf8')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return `${HEAD}${lines.map((line) => `  ${line}\n`).join('')}`;
}
