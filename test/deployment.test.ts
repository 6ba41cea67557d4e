import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { version } = JSON.parse(read('package.json'));

/** The rights of each container: no capabilities, and no writable folder except /tmp. */
const RIGHTS = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], tmpfs: ['/tmp'] };
/** Variables whose value must be in a file. */
const SECRET = /PASSWORD|SECRET|KEY|TOKEN|DATABASE.*URL/;
const openSecrets = (variables: object) =>
  Object.keys(variables).filter((name) => SECRET.test(name) && !name.endsWith('_FILE'));

describe('compose.yaml and compose.scale.yaml', () => {
  const [one, scale] = [read('compose.yaml'), read('compose.scale.yaml')];
  const { services } = parse(one);
  const { services: many } = parse(scale, { merge: true });

  test('one machine needs the product and a volume only', () => {
    const always = Object.keys(services).filter((name) => !services[name].profiles);
    expect(always).toEqual(['product']);
    expect(services.product).toMatchObject({ ...RIGHTS, volumes: ['data:/data'], image: `interviews:${version}` });
  });

  test('many processes are two for users and two for jobs behind nginx, over a pooler, a bucket and a shared spool', () => {
    expect(Object.keys(many)).toEqual(
      expect.arrayContaining(['web', 'worker', 'migrate', 'nginx', 'postgres', 'pooler', 's3']),
    );
    for (const role of ['web', 'worker']) {
      expect(many[role]).toMatchObject({ ...RIGHTS, volumes: ['data:/data'], deploy: { replicas: 2 } });
      expect(many[role].environment).toMatchObject({
        ROLES: role,
        MIGRATE: 'off',
        DATABASE_PREPARED: 'off',
        FILE_STORE: 's3',
      });
      expect(openSecrets(many[role].environment)).toEqual([]);
    }
    expect(many.migrate).toMatchObject({ ...RIGHTS, environment: { MIGRATE: 'only' } });
    expect(openSecrets(many.migrate.environment)).toEqual([]);
  });

  test('speech recognition and a language model start on request, and the files state that they were not run', () => {
    for (const each of [services, many]) expect([each.speech, each.llm].every(Boolean)).toBe(true);
    expect([services.speech.profiles, services.llm.profiles]).toEqual([['speech'], ['llm']]);
    expect(many.speech.extends).toEqual({ file: 'compose.yaml', service: 'speech' });
    expect(many.llm.extends).toEqual({ file: 'compose.yaml', service: 'llm' });
    for (const text of [one, scale]) expect(text).toMatch(/^# .*not run/m);
  });

  test('after an outage, the pooler asks the database every second, and nginx uses a process at once', () => {
    const pooler = read('deploy/compose/pgbouncer.ini');
    expect(pooler).toMatch(/^pool_mode = transaction$/m);
    expect(pooler).toMatch(/^server_login_retry = 1$/m);
    const nginx = read('deploy/compose/nginx.conf');
    expect(nginx).toMatch(/server web:5000 resolve max_fails=0;/);
    expect(nginx).toMatch(/proxy_next_upstream error timeout http_502 http_503 http_504;/);
    expect(nginx).not.toMatch(/non_idempotent/);
  });
});

describe('the manifests of Kubernetes', () => {
  const files = readdirSync(join(ROOT, 'deploy/kubernetes')).filter((name) => /yaml$/.test(name));
  const manifests = files.flatMap((name) =>
    parseAllDocuments(read(`deploy/kubernetes/${name}`)).map((one) => one.toJS()),
  );
  const listKind = (kind: string) => manifests.filter((one) => one.kind === kind);
  const podOf = ({ spec }: (typeof manifests)[number]) => spec.template.spec;
  const pods = [...listKind('Deployment'), ...listKind('Job')].map(podOf);

  test('the manifests of Kubernetes have a Deployment and a disruption budget per role, a job for migrations and more web processes under load', () => {
    const names = (kind: string) => listKind(kind).map(({ metadata }) => metadata.name);
    for (const kind of ['Deployment', 'PodDisruptionBudget'])
      expect(names(kind).sort()).toEqual(['interviews-web', 'interviews-worker']);
    expect(names('Job')).toEqual(['interviews-migrate']);
    expect(listKind('HorizontalPodAutoscaler')[0].spec).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: 'interviews-web' },
      minReplicas: 2,
    });
    expect(listKind('Kustomization')[0].images[0].newTag).toBe(version);
  });

  test('no pod is root, has capabilities, or writes anywhere but to /data and /tmp', () => {
    expect(pods).toHaveLength(3);
    for (const { securityContext, containers, automountServiceAccountToken } of pods) {
      expect(automountServiceAccountToken).toBe(false);
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10_001,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const writable = containers[0].volumeMounts.filter(({ readOnly }: { readOnly?: boolean }) => !readOnly);
      expect(writable.map(({ mountPath }: { mountPath: string }) => mountPath).sort()).toEqual(['/data', '/tmp']);
    }
  });

  test('a process without a database gets no requests, and only one that hangs is restarted', () => {
    for (const { containers, terminationGracePeriodSeconds } of listKind('Deployment').map(podOf)) {
      const { startupProbe, livenessProbe, readinessProbe } = containers[0];
      expect([startupProbe, livenessProbe].map(({ httpGet }) => httpGet.path)).toEqual(['/livez', '/livez']);
      expect(readinessProbe.httpGet.path).toBe('/readyz');
      expect(terminationGracePeriodSeconds).toBeGreaterThan(20);
    }
  });

  test('every pod is covered by policies for both directions', () => {
    const policies = listKind('NetworkPolicy');
    const covered = (type: string) =>
      policies.flatMap(({ spec }) =>
        spec.policyTypes.includes(type) ? [spec.podSelector.matchLabels['app.kubernetes.io/component'] ?? 'all'] : [],
      );
    expect(covered('Egress')).toEqual(['all']);
    expect(covered('Ingress').sort()).toEqual(['migrate', 'web', 'worker']);
  });

  test('secrets are mounted as files', () => {
    expect(openSecrets(listKind('ConfigMap')[0].data)).toEqual([]);
    const variables: { name: string }[] = pods.flatMap(({ containers }) => containers[0].env);
    expect(openSecrets(Object.fromEntries(variables.map(({ name }) => [name, name])))).toEqual([]);
  });
});

test('the image is built in stages, runs as a number, names its version and checks itself without curl', () => {
  const text = read('Dockerfile');
  const runtime = text.slice(text.lastIndexOf('\nFROM '));
  expect(text.match(/^FROM /gm)?.length).toBeGreaterThan(2);
  expect(runtime).not.toMatch(/^RUN /m);
  expect(runtime).toMatch(/^USER \d+:\d+$/m);
  expect(runtime).toMatch(/^HEALTHCHECK (?:.|\n)*CMD \["node", /m);
  expect(runtime).toContain(`ARG VERSION=${version}\n`);
  for (const label of ['title', 'description', 'version', 'revision', 'licenses'])
    expect(runtime).toContain(`org.opencontainers.image.${label}=`);
});
