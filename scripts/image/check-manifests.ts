import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import type { Manifest } from '#support/broken-references.ts';
import { ROOT, temporaryFolder } from '../steps/workspace.ts';
import { findProgram, runTool } from './run-tool.ts';

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
  await using folder = await temporaryFolder('secrets');
  await runTool('sh', [join(ROOT, 'deploy/compose/make-secrets.sh')], { cwd: folder.path });
  const written = await readdir(join(folder.path, 'secrets'));
  if (written.sort().join() !== [...mounted].sort().join())
    throw new Error(`make-secrets.sh writes ${written.join(', ')}; compose.scale.yaml mounts ${mounted.join(', ')}`);
}

/** https://keda.sh/docs/latest/reference/scaledobject-spec/, without unused fields. */
const SCALED_OBJECT = `interface ScaledObject {
  apiVersion: 'keda.sh/v1alpha1';
  kind: 'ScaledObject';
  metadata: import('kubernetes-types/meta/v1').ObjectMeta;
  spec: {
    scaleTargetRef: { name: string };
    minReplicaCount: number;
    maxReplicaCount: number;
    fallback: { failureThreshold: number; replicas: number };
    triggers: { type: 'prometheus'; metadata: { serverAddress: string; query: string; threshold: string } }[];
  };
}`;

/**
 * Resolves with the names of the manifests when all of them match. The compiler compares them,
 * because it also refuses fields that Kubernetes does not know.
 */
export async function checkKubernetes(): Promise<string[]> {
  const base = await readKustomization(KUBERNETES);
  const components = await Promise.all((await listComponents()).map(readKustomization));
  const manifests = [...base, ...components.flat()];
  await compile(findProgram('kubectl') ? [...manifests, ...(await build())] : manifests);
  return manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

const readManifests = (text: string): Manifest[] => parseAllDocuments(text).map((one) => one.toJS());

async function listComponents(): Promise<string[]> {
  const folder = join(KUBERNETES, 'components');
  return (await readdir(folder)).map((name) => join(folder, name));
}

/** Reads the files that the kustomization.yaml of a folder lists: all that are there. */
export async function readKustomization(folder: string): Promise<Manifest[]> {
  const { resources } = parse(await readFile(join(folder, 'kustomization.yaml'), 'utf8'));
  const others = (await readdir(folder)).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
  if (others.sort().join() !== [...resources].sort().join())
    throw new Error(
      `kustomization.yaml of ${folder} lists ${resources.join(', ')}; the folder has ${others.join(', ')}`,
    );
  const texts: string[] = await Promise.all(resources.map((name: string) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap(readManifests);
}

/** Returns what `kubectl apply -k` would send, with every component: kubectl contains Kustomize. */
async function build(): Promise<Manifest[]> {
  await using folder = await makeFolder();
  const components = (await listComponents()).map((component) => relative(folder.path, component));
  const resources = [relative(folder.path, KUBERNETES)];
  await writeFile(join(folder.path, 'kustomization.yaml'), stringify({ resources, components }));
  return readManifests(await runTool('kubectl', ['kustomize', folder.path]));
}

/** Below the repository, so that the compiler finds the types. */
const makeFolder = () => mkdtempDisposable(join(ROOT, 'node_modules/.manifests-'));

async function compile(manifests: readonly Manifest[]): Promise<void> {
  const lines = manifests.map((manifest) => {
    const name = `_${crypto.randomUUID().replaceAll('-', '')}`;
    return `export const ${name}: ${typeOf(manifest)} = ${JSON.stringify(manifest, null, 1)};`;
  });
  await using folder = await makeFolder();
  await writeFile(join(folder.path, 'manifests.ts'), [SCALED_OBJECT, ...lines].join('\n'));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'preserve'];
  await runTool(process.execPath, [compiler, ...options, join(folder.path, 'manifests.ts')]);
}

/** `kubernetes-types` has a module for each group, generated from Kubernetes' schemas. */
function typeOf({ apiVersion, kind }: Manifest): string {
  if (apiVersion === 'keda.sh/v1alpha1') return kind;
  const module = apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io', '');
  return `import('kubernetes-types/${module}').${kind}`;
}
