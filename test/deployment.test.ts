import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '#server/config/config.ts';
import { readKustomization } from '../scripts/image/check-manifests.ts';
import { findBrokenReferences, readSurroundings } from './support/broken-references.ts';

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

  test('speech recognition and a language model start on request with few rights, and the files state that they were not run', () => {
    for (const each of [services, many]) expect([each.speech, each.llm].every(Boolean)).toBe(true);
    expect([services.speech.profiles, services.llm.profiles]).toEqual([['speech'], ['llm']]);
    for (const { cap_drop, mem_limit, pids_limit } of [services.speech, services.llm])
      expect([cap_drop, typeof mem_limit, typeof pids_limit]).toEqual([['ALL'], 'string', 'number']);
    expect(services.llm.read_only).toBe(true);
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
  const deployments = listKind('Deployment');
  const [job] = listKind('Job');
  const pods = [...deployments, job].map(podOf);
  const [settings] = listKind('ConfigMap').map(({ data }) => data);
  const containersOf = ({ initContainers = [], containers }: (typeof manifests)[number]) => [
    ...initContainers,
    ...containers,
  ];

  test('the manifests of Kubernetes have a Deployment and a disruption budget per role, a job for migrations and more web processes under load', () => {
    const names = (kind: string) => listKind(kind).map(({ metadata }) => metadata.name);
    for (const kind of ['Deployment', 'PodDisruptionBudget'])
      expect(names(kind).sort()).toEqual(['interviews-web', 'interviews-worker']);
    expect(names('Job')).toEqual(['interviews-migrate-version']);
    expect(listKind('HorizontalPodAutoscaler')[0].spec).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: 'interviews-web' },
      minReplicas: 2,
    });
  });

  test('the image and the labels have the version, and so has the name of the migration job', () => {
    const [{ images, labels, replacements }] = listKind('Kustomization');
    expect(images[0].newTag).toBe(version);
    expect(labels[0].pairs['app.kubernetes.io/version']).toBe(version);
    const [{ source, targets }] = replacements;
    const { kind, metadata } = job;
    expect(source).toEqual({ kind, name: metadata.name, fieldPath: 'metadata.labels.[app.kubernetes.io/version]' });
    const { select, fieldPaths, options } = targets[0];
    expect([select, fieldPaths]).toEqual([{ kind, name: metadata.name }, ['metadata.name']]);
    expect(metadata.name.split(options.delimiter)[options.index]).toBe('version');
  });

  test('pods of a new release wait in an init container for the job, which alone has the account of the owner', () => {
    const modeOf = ({ env }: { env: { name: string; value: string }[] }) =>
      env.find(({ name }) => name === 'MIGRATE')?.value ?? settings.MIGRATE;
    for (const { initContainers, containers } of deployments.map(podOf))
      expect([...initContainers, ...containers].map(modeOf)).toEqual(['wait', 'off']);
    expect(podOf(job).containers.map(modeOf)).toEqual(['only']);
    const owners = manifests.filter((one) => /interviews-owner|DATABASE_OWNER_URL/.test(JSON.stringify(one)));
    expect(owners).toEqual([job]);
  });

  test('a job that has ended is deleted, also by Argo CD and Flux, and pods wait as long as it may run', () => {
    expect(job.spec).toMatchObject({ activeDeadlineSeconds: 3600, ttlSecondsAfterFinished: 86_400 });
    expect(job.metadata.annotations).toEqual({
      'argocd.argoproj.io/hook': 'Sync',
      'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
      'kustomize.toolkit.fluxcd.io/force': 'enabled',
    });
    for (const { spec } of deployments) expect(spec.progressDeadlineSeconds).toBeGreaterThan(3600);
  });

  test('no pod is root, has capabilities, or writes anywhere but to /data and /tmp', () => {
    expect(pods).toHaveLength(3);
    for (const { securityContext, automountServiceAccountToken, ...pod } of pods) {
      expect(automountServiceAccountToken).toBe(false);
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10_001,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of containersOf(pod)) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        const writable = container.volumeMounts.filter(({ readOnly }: { readOnly?: boolean }) => !readOnly);
        expect(writable.map(({ mountPath }: { mountPath: string }) => mountPath).sort()).toEqual(['/data', '/tmp']);
      }
    }
  });

  test('only a process that hangs is restarted, and one that stops serves until load balancers have noticed', () => {
    for (const { containers, terminationGracePeriodSeconds } of deployments.map(podOf)) {
      const { startupProbe, livenessProbe, readinessProbe } = containers[0];
      expect([startupProbe, livenessProbe].map(({ httpGet }) => httpGet.path)).toEqual(['/livez', '/livez']);
      expect(readinessProbe).toMatchObject({ httpGet: { path: '/readyz' }, failureThreshold: 3 });
      const delay = Number(settings.SHUTDOWN_DELAY_S);
      expect(delay).toBeGreaterThan(readinessProbe.periodSeconds * readinessProbe.failureThreshold);
      // The process exits within 15 s after the delay.
      expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(delay + 15);
    }
  });

  test('the spool of a worker has room for the largest videos of everything that it does at once', () => {
    const worker = podOf(deployments.find(({ metadata }) => metadata.name === 'interviews-worker'));
    const { emptyDir } = worker.volumes.find(({ name }: { name: string }) => name === 'data');
    // Three refreshes with twice DOWNLOAD_CONCURRENCY each, two checks of uploads, a join.
    const videos = 3 * 2 * readConfig({}).DOWNLOAD_CONCURRENCY + 2 + 2;
    expect(emptyDir.sizeLimit).toBe('80Gi');
    expect(videos * Number(settings.MAX_VIDEO_BYTES)).toBeLessThanOrEqual(80 * 2 ** 30);
    for (const { containers } of deployments.map(podOf))
      expect(containers[0].resources.requests).toHaveProperty('ephemeral-storage');
  });

  test('all processes of a rollout fit into the connections that PostgreSQL accepts by default', () => {
    const { maxReplicas } = listKind('HorizontalPodAutoscaler')[0].spec;
    const { maxReplicaCount, triggers } = parse(read('deploy/kubernetes/components/keda/scaled-object.yaml')).spec;
    // One more of each role during a rollout, two for the job and five for a backup.
    const processes = maxReplicas + maxReplicaCount + 2;
    expect(processes * (Number(settings.DATABASE_POOL_SIZE) + 2) + 2 + 5).toBeLessThanOrEqual(97);
    expect(triggers[0].metadata.query).toContain('interviews_job_oldest_seconds');
  });

  test('the Ingress accepts the pieces of uploads, passes them on at once and repeats no POST', () => {
    const { annotations } = parse(read('deploy/kubernetes/components/ingress-nginx/ingress.yaml')).metadata;
    const settingOf = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`];
    const nginx = read('deploy/compose/nginx.conf');
    expect(nginx).toContain(`client_max_body_size ${settingOf('proxy-body-size')};`);
    expect(nginx).toContain(`proxy_next_upstream ${settingOf('proxy-next-upstream')};`);
    expect(settingOf('proxy-request-buffering')).toBe('off');
    expect(Number(settingOf('proxy-read-timeout'))).toBeGreaterThan(30);
  });

  test('all references between the manifests exist, with each component as well', async () => {
    const folder = join(ROOT, 'deploy/kubernetes');
    const base = await readKustomization(folder);
    const surroundings = readSurroundings(read('deploy/kubernetes/kustomization.yaml'));
    expect(findBrokenReferences(base, surroundings)).toEqual([]);
    for (const component of ['ingress-nginx', 'keda']) {
      const added = await readKustomization(join(folder, 'components', component));
      expect(findBrokenReferences([...base, ...added], surroundings)).toEqual([]);
      expect(findBrokenReferences(added, surroundings)).toHaveLength(1);
    }
  });

  test.each([
    ['a missing target', '"kind":"Deployment"', '"kind":"Service"', /Deployment interviews-web does not exist/],
    [
      'a double name',
      '"name":"interviews-worker"',
      '"name":"interviews-web"',
      /Deployment interviews-web exists twice/,
    ],
    [
      'an unknown image',
      '"image":"interviews"',
      '"image":"x"',
      /Job interviews-migrate-version: the image x is unknown/,
    ],
    [
      'a missing ConfigMap',
      '"configMapRef":{"name":"interviews"',
      '"configMapRef":{"name":"x"',
      /ConfigMap x does not/,
    ],
    ['a missing secret', '"secretName":"interviews-owner"', '"secretName":"x"', /the secret x is not created/],
    [
      'a missing volume',
      '{"name":"data","mountPath"',
      '{"name":"x","mountPath"',
      /volume x does not .*volume data is not/,
    ],
    ['a missing port', '"targetPort":"http"', '"targetPort":"x"', /Service interviews: no selected pod has the port x/],
    ['a wrong selector', '"selector":{"matchLabels":{', '"selector":{"matchLabels":{"x":"y",', /no pod has the labels/],
    [
      'a missing key',
      'interviews/METRICS_TOKEN"',
      'interviews/x"',
      /METRICS_TOKEN_FILE is .*, which no mounted secret/,
    ],
    ['a double variable', '"name":"MIGRATE"', '"name":"DATABASE_OWNER_URL_FILE"', /sets DATABASE_OWNER_URL_FILE twice/],
  ])('%s in the manifests is found', async (_, from, to, problem) => {
    const text = JSON.stringify(await readKustomization(join(ROOT, 'deploy/kubernetes')));
    expect(text).toContain(from);
    const broken = JSON.parse(text.replace(from, to));
    const surroundings = readSurroundings(read('deploy/kubernetes/kustomization.yaml'));
    expect(findBrokenReferences(broken, surroundings).join(' ')).toMatch(problem);
  });

  test('every pod is covered by policies for both directions', () => {
    const policies = listKind('NetworkPolicy');
    const covered = (type: string) =>
      policies.flatMap(({ spec }) =>
        spec.policyTypes.includes(type) ? [spec.podSelector.matchLabels['app.kubernetes.io/component'] ?? 'all'] : [],
      );
    expect(covered('Egress')).toEqual(['all']);
    expect(covered('Ingress').sort()).toEqual(['backup', 'migrate', 'web', 'worker']);
  });

  test('a nightly job writes encrypted backups of the database to a volume and keeps 14 of them', () => {
    const [job] = listKind('CronJob');
    expect(job.spec.concurrencyPolicy).toBe('Forbid');
    const { containers, volumes, securityContext } = podOf(job.spec.jobTemplate);
    const [{ args, env = [], securityContext: rights }] = containers;
    expect(args.slice(0, 4)).toEqual(['interviews', 'backup', '/data', '--database-only']);
    expect(args.join(' ')).toContain('--encrypt /run/secrets/backup/recipient --keep 14');
    const [claim] = listKind('PersistentVolumeClaim');
    expect(volumes[0].persistentVolumeClaim.claimName).toBe(claim.metadata.name);
    expect([securityContext.runAsNonRoot, rights.readOnlyRootFilesystem, env]).toEqual([true, true, []]);
    expect(listKind('Kustomization')[0].resources).toContain('backup.yaml');
  });

  test('every process that calls the database can trust a private CA, also the backup', () => {
    const all = [...pods, podOf(listKind('CronJob')[0].spec.jobTemplate)];
    for (const pod of all) {
      for (const { volumeMounts } of containersOf(pod))
        expect(volumeMounts).toContainEqual({ name: 'ca', mountPath: '/run/ca', readOnly: true });
      expect(pod.volumes).toContainEqual({ name: 'ca', configMap: { name: 'interviews-ca', optional: true } });
    }
  });

  test('secrets are mounted as files', () => {
    expect(openSecrets(settings)).toEqual([]);
    const variables: { name: string }[] = pods.flatMap(containersOf).flatMap(({ env }) => env);
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

test('the change log has sections for what is unreleased and, next, for the release of package.json', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## \[(.+?)\](?: - \d{4}-\d\d-\d\d)?$/gm)];
  expect(headings.slice(0, 2).map(([, name]) => name)).toEqual(['Unreleased', version]);
  expect(JSON.parse(read('package-lock.json')).packages[''].version).toBe(version);
});

test('the systemd unit starts the product without npm, and stops it before its PostgreSQL', () => {
  const lines = read('deploy/systemd/interviews.service').match(/^\w+=.*$/gm) ?? [];
  const unit = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  const [, program, script] = /^\/opt\/interviews\/(\S+) (\S+)$/.exec(unit.ExecStart ?? '') ?? [];
  expect([program, script].map((path) => existsSync(join(ROOT, path ?? '?')))).toEqual([true, true]);
  expect(unit).toMatchObject({
    WorkingDirectory: '/opt/interviews',
    KillMode: 'mixed',
    Restart: 'on-failure',
    User: 'interviews',
    ProtectSystem: 'strict',
    NoNewPrivileges: 'yes',
    CapabilityBoundingSet: '',
    Environment: `DATA_DIR=/var/lib/${unit.StateDirectory}`,
  });
  // SHUTDOWN_DELAY_S of a container, and the time that the product takes at most.
  expect(Number(unit.TimeoutStopSec)).toBeGreaterThanOrEqual(5 + 14);
});
