import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuiltImage, buildImage } from './image/build-image.ts';
import { checkComposeFiles, checkKubernetes } from './image/check-manifests.ts';
import { Container } from './image/container.ts';
import { runOnMachine } from './image/run-on-machine.ts';
import { checkTools } from './image/run-tool.ts';
import { expect, seconds } from './steps/expect.ts';

/** The size on disk. In registries, images have about a third of it. */
const MAX_BYTES = 550e6;
const MAX_START_MS = 30_000;
const MAX_STOP_MS = 15_000;
/** A quiet machine needs three minutes. */
const LIMIT_MS = 20 * 60_000;
const USER = 10_001;

const READ_ONLY = ['/', '/app', '/app/node_modules/.cache', '/etc', '/home', '/run', '/usr/local/bin', '/var/tmp'];
const WRITABLE = ['/data', '/tmp'];
/** An intruder could build or download programs with these. */
const UNWANTED = ['npm', 'npx', 'gcc', 'cc', 'make', 'python3', 'curl', 'wget', 'git'];
/** A value of a variable that is a secret, such as `S3_SECRET_ACCESS_KEY=abc`. */
const SECRET = /\b\w*(PASSWORD|SECRET|TOKEN|KEY|DATABASE_URL)=\S/;

/**
 * `npm run test:image`: checks the manifests, builds the image and runs it. Where that is not
 * possible, it prints a line that starts with "Partial".
 */
async function check(folder: string): Promise<void> {
  await checkComposeFiles();
  expect(true, 'compose.yaml and compose.scale.yaml match the Compose Specification');
  const manifests = await checkKubernetes();
  expect(manifests.length > 9, `the manifests of Kubernetes match its types: ${manifests.join(', ')}`);
  await checkTools(folder, ['buildah', 'mmdebstrap', 'npm', 'runc', 'umoci']);
  console.log('Building the image. This takes some minutes.');
  const image = await timed('built', buildImage(folder));
  checkSettings(image);
  await timed('unpacked', image.unpack(join(folder, 'bundle')));
  await checkContainer(image, folder);
  console.log('\nThe image and the manifests are as described.');
}

async function timed<T>(what: string, work: Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work;
  console.log(`  ${what} in ${seconds(performance.now() - startedAt)}`);
  return result;
}

function checkSettings({ config, history, bytes }: BuiltImage): void {
  expect(bytes < MAX_BYTES, `the image has at most ${MAX_BYTES / 1e6} MB: ${(bytes / 1e6).toFixed(0)} MB`, bytes);
  expect(config.Env.includes('SHUTDOWN_DELAY_S=5'), 'it serves for five seconds after SIGTERM', config.Env);
  const leaks = [...config.Env, ...history.map(({ created_by }) => created_by)].filter((text) => SECRET.test(text));
  expect(leaks.length === 0, 'neither its history nor its variables contain a secret', leaks);
}

async function checkContainer({ config }: BuiltImage, folder: string): Promise<void> {
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  await chown(data, USER, USER);
  const container = new Container({ bundle: join(folder, 'bundle'), data, folder });
  try {
    await container.checkMachine();
    const first = await container.start();
    expect(
      first < MAX_START_MS,
      `/readyz returns 200 with a new database and no network after ${seconds(first)}`,
      first,
    );
    await checkInside(container);
    await checkHealthcheck(container, config.Healthcheck?.Test.slice(1) ?? []);
    await container.end('SIGKILL');
    await container.remove();
    const again = await container.start();
    expect(again < MAX_START_MS, `after SIGKILL it starts again with its volume, in ${seconds(again)}`, again);
    const { status, ms } = await container.end('SIGTERM');
    expect(status === 0 && ms < MAX_STOP_MS, `SIGTERM ends it after ${seconds(ms)}`, { status, ms });
  } catch (error) {
    console.error(container.printed);
    throw error;
  } finally {
    await container.remove();
  }
}

/** Checks everything that a command in the container can see with the rights of the product. */
async function checkInside(container: Container): Promise<void> {
  const shell = async (script: string) => (await container.run('sh', '-c', script)).output.trim();
  const account = await shell('id -u; id -g; grep -c . /proc/1/cmdline; tr "\\0" " " < /proc/1/cmdline');
  expect(account.startsWith(`${USER}\n${USER}\n`), `it runs as ${USER}`, account);
  expect(account.endsWith('node src/server/main.mjs'), 'its first process is Node', account);
  const rights = await shell('grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/1/status');
  expect(/^CapEff:\t0+$/m.test(rights) && /^NoNewPrivs:\t1$/m.test(rights), 'it has no capabilities', rights);
  const writable = async (folders: readonly string[]) =>
    shell(`for folder in ${folders.join(' ')}; do touch $folder/x 2>/dev/null && echo $folder; done`);
  expect((await writable(READ_ONLY)) === '', `it cannot write to ${READ_ONLY.join(', ')}`, await writable(READ_ONLY));
  expect((await writable(WRITABLE)) === WRITABLE.join('\n'), `it can write to ${WRITABLE.join(' and ')}`);
  const unwanted = await shell(`for name in ${UNWANTED.join(' ')}; do command -v $name; done`);
  expect(unwanted === '', `it has none of ${UNWANTED.join(', ')}`, unwanted);
  const users = await container.run('interviews', 'user', 'list');
  expect(users.status === 0 && /^admin\b/.test(users.output), '`interviews user list` lists the first account', users);
}

async function checkHealthcheck(container: Container, command: readonly string[]): Promise<void> {
  const healthy = await container.run(...command);
  expect(healthy.status === 0, 'the health check succeeds', healthy);
  const unhealthy = await container.run('env', 'PORT=9', ...command);
  expect(unhealthy.status === 1, 'the health check fails without a server', unhealthy);
}

const partial = 'the image was not built and run, only the manifests were checked.';
await runOnMachine({ name: 'image', limitMs: LIMIT_MS, partial, check });
