import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from '../steps/workspace.ts';
import { makeDebian, putNode } from './debian.ts';
import { cannotRunHere, findProgram, runTool } from './run-tool.ts';

/** As in Debian's public slim images: no documentation and no translations. */
const OMITTED = ['doc', 'man', 'info', 'locale', 'groff', 'lintian'];
/** On two busy cores, the packages of Debian take one minute and the image three. */
const BASE_LIMIT_MS = 4 * 60_000;
const BUILD_LIMIT_MS = 10 * 60_000;
const COPY_LIMIT_MS = 3 * 60_000;

/** The parts of `docker inspect` that the check reads. */
interface ImageConfig {
  config: {
    Env: string[];
    Healthcheck?: { Test: string[] };
  };
  history: { created_by: string }[];
}

export type BuiltImage = Awaited<ReturnType<typeof buildImage>>;

/**
 * Builds the image as `docker build` does, but with buildah, which needs no service. Both bases
 * are made from Debian's packages, because public images cannot be downloaded everywhere.
 */
export async function buildImage(folder: string) {
  const buildah = async (...args: string[]) =>
    (
      await runTool('buildah', ['--storage-driver=vfs', `--root=${folder}/store`, `--runroot=${folder}/run`, ...args], {
        cwd: ROOT,
        temporary: folder,
        limitMs: args[0] === 'bud' ? BUILD_LIMIT_MS : COPY_LIMIT_MS,
      })
    ).trim();
  await makeBases(folder, buildah);
  const npmCache = (await runTool('npm', ['config', 'get', 'cache'])).trim();
  await mkdir(npmCache, { recursive: true });
  await buildah(
    ...['bud', '--format=docker', '--build-arg=BASE=localhost/debian', '--build-arg=BUILD_BASE=localhost/node'],
    ...[`--volume=${npmCache}:/root/.npm`, '--tag=localhost/interviews', '.'],
  );
  const [image] = JSON.parse(await buildah('images', '--json', 'localhost/interviews'));
  const inspected = JSON.parse(await buildah('inspect', '--type=image', 'localhost/interviews'));
  const { config, history } = inspected.Docker as ImageConfig;
  return {
    config,
    history,
    bytes: JSON.parse(inspected.Manifest).layers.reduce((sum: number, layer: { size: number }) => sum + layer.size, 0),
    /** Writes the file system and the settings of a container into a folder that must not exist. */
    async unpack(bundle: string) {
      await buildah('push', '--quiet', '--format=oci', '--disable-compression', image.id, `oci:${folder}/oci:latest`);
      await runTool('umoci', ['unpack', `--image=${folder}/oci:latest`, bundle], { limitMs: COPY_LIMIT_MS });
    },
  };
}

type Buildah = (...args: string[]) => Promise<string>;

/**
 * `localhost/debian`, and `localhost/node` for building: the same with Node and npm.
 * @throws CannotRunHere when Debian's packages cannot be downloaded or used in a container
 */
async function makeBases(folder: string, buildah: Buildah): Promise<void> {
  const system = join(folder, 'debian.tar');
  const options = OMITTED.map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
  await makeDebian(system, options, { temporary: folder, limitMs: BASE_LIMIT_MS });
  const debian = await buildah('from', 'scratch');
  await buildah('add', '--quiet', debian, system, '/');
  await buildah('run', debian, 'true').catch(cannotRunHere);
  await buildah('commit', '--quiet', debian, 'localhost/debian');

  const node = await buildah('from', 'localhost/debian');
  const added = join(folder, 'node');
  await putNode(added, process.execPath, dirname(dirname(findProgram('npm') ?? '')));
  await buildah('add', '--quiet', node, added, '/');
  await buildah('config', `--env=NODE_EXTRA_CA_CERTS=${process.env.NODE_EXTRA_CA_CERTS ?? ''}`, node);
  await buildah('commit', '--quiet', node, 'localhost/node');
}
