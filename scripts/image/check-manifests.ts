import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { findProgram, runTool } from './run-tool.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const COMPOSE_FILES = ['compose.yaml', 'compose.scale.yaml'];
const KUBERNETES = join(ROOT, 'deploy/kubernetes');

/** Resolves when the Compose files match the schema and every file that they mention exists. */
export async function checkComposeFiles(): Promise<void> {
  const linter = join(ROOT, 'node_modules/dclint/bin/dclint.cjs');
  await runTool(process.execPath, [linter, ...COMPOSE_FILES, '--disable-rule=no-build-and-image'], { cwd: ROOT });
  const scale = parse(await readFile(join(ROOT, 'compose.scale.yaml'), 'utf8'), { merge: true });
  await checkSecrets(Object.keys(scale.secrets));
}

/** Checks that the script for random secrets writes exactly those that the Compose file mounts. */
async function checkSecrets(mounted: readonly string[]): Promise<void> {
  const folder = await mkdtemp('/tmp/interviews-secrets-');
  try {
    await runTool('sh', [join(ROOT, 'deploy/compose/make-secrets.sh')], { cwd: folder });
    const written = await readdir(join(folder, 'secrets'));
    if (written.sort().join() !== [...mounted].sort().join())
      throw new Error(`make-secrets.sh writes ${written.join(', ')}; compose.scale.yaml mounts ${mounted.join(', ')}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The module of each kind in `kubernetes-types`, which is generated from Kubernetes' schemas. */
const TYPES: Record<string, string> = {
  'apps/v1 Deployment': 'apps/v1',
  'autoscaling/v2 HorizontalPodAutoscaler': 'autoscaling/v2',
  'batch/v1 Job': 'batch/v1',
  'networking.k8s.io/v1 NetworkPolicy': 'networking/v1',
  'policy/v1 PodDisruptionBudget': 'policy/v1',
  'v1 ConfigMap': 'core/v1',
  'v1 Service': 'core/v1',
};

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

/**
 * Resolves with the names of the manifests when all of them match. The compiler compares them,
 * because it also refuses fields that Kubernetes does not know.
 */
export async function checkKubernetes(): Promise<string[]> {
  const { resources } = parse(await readFile(join(KUBERNETES, 'kustomization.yaml'), 'utf8'));
  const others = (await readdir(KUBERNETES)).filter((name) => name !== 'kustomization.yaml');
  if (others.sort().join() !== [...resources].sort().join())
    throw new Error(`kustomization.yaml lists ${resources.join(', ')}; the folder has ${others.join(', ')}`);
  const manifests: Manifest[] = [];
  for (const name of resources)
    manifests.push(...parseAllDocuments(await readFile(join(KUBERNETES, name), 'utf8')).map((one) => one.toJS()));
  // kubectl contains Kustomize, which builds what is applied.
  if (findProgram('kubectl'))
    manifests.push(...parseAllDocuments(await runTool('kubectl', ['kustomize', KUBERNETES])).map((one) => one.toJS()));
  await compile(manifests);
  return [...new Set(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`))];
}

async function compile(manifests: readonly Manifest[]): Promise<void> {
  const lines = manifests.map((manifest) => {
    const type = TYPES[`${manifest.apiVersion} ${manifest.kind}`];
    if (!type) throw new Error(`${manifest.apiVersion} ${manifest.kind} is not in TYPES of check-manifests.ts.`);
    return `export const _${crypto.randomUUID().replaceAll('-', '')}: import('kubernetes-types/${type}').${manifest.kind} = ${JSON.stringify(manifest, null, 1)};`;
  });
  // Below the repository, so that the compiler finds the types.
  const folder = await mkdtemp(join(ROOT, 'node_modules/.manifests-'));
  try {
    await writeFile(join(folder, 'manifests.ts'), lines.join('\n'));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
    ];
    await promisify(execFile)(process.execPath, [compiler, ...options, join(folder, 'manifests.ts')]).catch((error) => {
      throw new Error(`The manifests do not match the types of Kubernetes:\n${error.stdout}`);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
