import type { Container, PodSpec, PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import { parse } from 'yaml';

type Labels = Record<string, string>;

/** A manifest with the fields that refer to others. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Labels;
  spec?: {
    template?: PodTemplateSpec;
    jobTemplate?: { spec: { template: PodTemplateSpec } };
    selector?: { matchLabels?: Labels };
    podSelector?: { matchLabels?: Labels };
    scaleTargetRef?: { kind?: string; name: string };
    ports?: { targetPort?: string }[];
    rules?: { http: { paths: { backend: { service: { name: string } } }[] } }[];
  };
}

interface Surroundings {
  /** The names that Kustomize replaces with names in a registry. */
  images: readonly string[];
  /** The secrets that operators create, with their keys. */
  secrets: ReadonlyMap<string, readonly string[]>;
}

/** Returns a sentence for each reference to something that does not exist, and each double name. */
export function findBrokenReferences(manifests: readonly Manifest[], surroundings: Surroundings): string[] {
  const problems = duplicatesOf(manifests.map(nameOf)).map((name) => `${name} exists twice.`);
  for (const manifest of manifests) {
    const own = [...selectorProblems(manifest, manifests), ...targetProblems(manifest, manifests)];
    const pod = podOf(manifest)?.spec;
    if (pod) own.push(...podProblems(pod, manifests, surroundings));
    problems.push(...own.map((problem) => `${nameOf(manifest)}: ${problem}`));
  }
  return problems;
}

const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
const podOf = ({ spec }: Manifest) => spec?.template ?? spec?.jobTemplate?.spec.template;
const duplicatesOf = (names: readonly string[]) => [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
const namesOf = (items: readonly { name?: string }[] | undefined) => (items ?? []).map(({ name = '' }) => name);
const containersOf = (pod: PodSpec | undefined): Container[] => [
  ...(pod?.initContainers ?? []),
  ...(pod?.containers ?? []),
];

function selectorProblems(manifest: Manifest, manifests: readonly Manifest[]): string[] {
  const { kind, spec } = manifest;
  const selector = kind === 'Service' ? (spec?.selector as Labels) : (spec?.selector ?? spec?.podSelector)?.matchLabels;
  if (!selector) return [];
  const candidates = kind === 'Deployment' ? [manifest] : manifests;
  const pods = candidates.flatMap((one) => podOf(one) ?? []);
  const selected = pods.filter(({ metadata }) =>
    Object.entries(selector).every(([label, value]) => metadata?.labels?.[label] === value),
  );
  if (selected.length === 0) return [`no pod has the labels ${JSON.stringify(selector)}.`];
  const ports = selected.flatMap((pod) => containersOf(pod.spec).flatMap((one) => namesOf(one.ports)));
  const targets = kind === 'Service' ? (spec?.ports ?? []).flatMap(({ targetPort }) => targetPort ?? []) : [];
  return targets.filter((port) => !ports.includes(port)).map((port) => `no selected pod has the port ${port}.`);
}

/** The scaled Deployments, and the targets of requests. */
function targetProblems({ spec }: Manifest, manifests: readonly Manifest[]): string[] {
  const { scaleTargetRef: scaled, rules = [] } = spec ?? {};
  const services = rules.flatMap(({ http }) => http.paths.map(({ backend }) => `Service ${backend.service.name}`));
  const targets = [...(scaled ? [`${scaled.kind ?? 'Deployment'} ${scaled.name}`] : []), ...services];
  return targets
    .filter((target) => manifests.every((one) => nameOf(one) !== target))
    .map((target) => `${target} does not exist.`);
}

function podProblems(pod: PodSpec, manifests: readonly Manifest[], { images, secrets }: Surroundings): string[] {
  const containers = containersOf(pod);
  const volumes = namesOf(pod.volumes);
  const mounted = containers.flatMap(({ volumeMounts = [] }) => namesOf(volumeMounts));
  const configMaps = namesOf(manifests.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata));
  const isMissing = ({ name = '', optional = false }) => !optional && !configMaps.includes(name);
  const usedConfigMaps = [
    ...containers.flatMap(({ envFrom = [] }) => envFrom.flatMap(({ configMapRef }) => configMapRef ?? [])),
    ...(pod.volumes ?? []).flatMap(({ configMap }) => configMap ?? []),
  ];
  const usedSecrets = (pod.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []);
  return [
    ...duplicatesOf([...namesOf(containers), ...volumes]).map((name) => `the name ${name} is used twice.`),
    ...containers.flatMap(({ env, name }) => duplicatesOf(namesOf(env)).map((one) => `${name} sets ${one} twice.`)),
    ...containers.flatMap(({ image = '' }) => (images.includes(image) ? [] : [`the image ${image} is unknown.`])),
    ...mounted.filter((name) => !volumes.includes(name)).map((name) => `the volume ${name} does not exist.`),
    ...volumes.filter((name) => !mounted.includes(name)).map((name) => `the volume ${name} is not mounted.`),
    ...usedConfigMaps.filter(isMissing).map(({ name }) => `the ConfigMap ${name} does not exist.`),
    ...usedSecrets.filter((name) => !secrets.has(name)).map((name) => `the secret ${name} is not created.`),
    ...containers.flatMap((container) => fileProblems(container, pod, { manifests, secrets })),
  ];
}

/** Checks that every `…_FILE` of a container is the key of a secret that is mounted there. */
function fileProblems(
  { env = [], envFrom = [], volumeMounts = [] }: Container,
  { volumes = [] }: PodSpec,
  { manifests, secrets }: Pick<Surroundings, 'secrets'> & { manifests: readonly Manifest[] },
): string[] {
  const maps = envFrom.map(({ configMapRef }) => configMapRef?.name);
  const shared = manifests.filter(({ kind, metadata }) => kind === 'ConfigMap' && maps.includes(metadata.name));
  const variables = new Map([
    ...shared.flatMap(({ data = {} }) => Object.entries(data)),
    ...env.map(({ name, value = '' }) => [name, value] as const),
  ]);
  const files = volumeMounts.flatMap(({ name, mountPath }) => {
    const secret = volumes.find((volume) => volume.name === name)?.secret?.secretName;
    return (secrets.get(secret ?? '') ?? []).map((key) => `${mountPath}/${key}`);
  });
  return [...variables]
    .filter(([name, path]) => name.endsWith('_FILE') && !files.includes(path))
    .map(([name, path]) => `${name} is ${path}, which no mounted secret has.`);
}

/** Reads the images of kustomization.yaml, and the secrets and keys that its head creates. */
export function readSurroundings(text: string): Surroundings {
  const { images }: { images: { name: string }[] } = parse(text);
  const commands = text.replaceAll(/\\\n# +/g, '').matchAll(/kubectl create secret generic (\S+)(.*)/g);
  const secrets = [...commands].map(([, name = '', rest = '']) => {
    const keys = rest.matchAll(/--from-file=(\w+)/g).map(([, key = '']) => key);
    return [name, [...keys]] as const;
  });
  return { images: namesOf(images), secrets: new Map(secrets) };
}
