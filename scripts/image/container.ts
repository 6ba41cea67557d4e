import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '#support/until.ts';
import { CannotRunHere, runTool, spawnTool, tryTool } from './run-tool.ts';

interface ContainerOptions {
  /** As `BuiltImage.unpack` wrote it. */
  bundle: string;
  /** Mounted at /data. */
  data: string;
  /** Where runc keeps its state. */
  folder: string;
}

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;
/** As Docker mounts them with `read_only: true` and `tmpfs: [/tmp]`. */
const KERNEL_MOUNTS = ['/proc', '/dev', '/dev/pts', '/dev/shm'];
const TEMPORARY = { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777'] };
const IS_READY = "fetch('http://127.0.0.1:5000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1))";

/**
 * A container of the image with a read-only root file system and no capabilities. Its only network
 * is its loopback device, so a download would fail. Memory and processors are not limited, unlike
 * under Docker or Kubernetes.
 */
export class Container {
  readonly #options: ContainerOptions;
  readonly #root: readonly string[];
  readonly #id = `interviews-${randomUUID()}`;
  #unpacked: string | undefined;
  #tool: ReturnType<typeof spawnTool> | null = null;

  constructor(options: ContainerOptions) {
    this.#options = options;
    this.#root = ['--root', join(options.folder, 'runc')];
  }

  /** @throws CannotRunHere when this machine does not run even `true` in the container */
  async checkMachine(): Promise<void> {
    await this.#configure(['true']);
    const { status, output, errors } = await tryTool('runc', this.#runArguments);
    await this.remove();
    if (status !== 0) throw new CannotRunHere(`runc cannot run a container on this machine: ${output}${errors}`);
  }

  /** Returns the milliseconds until the product was ready. */
  async start(): Promise<number> {
    await this.#configure();
    const startedAt = performance.now();
    this.#tool = spawnTool('runc', this.#runArguments);
    const isReady = async () => {
      if (this.#tool?.hasEnded()) throw new Error(`The container ended:\n${this.printed}`);
      return (await this.run('node', '-e', IS_READY)).status === 0;
    };
    await until('/readyz returns 200', isReady, START_LIMIT_MS);
    return performance.now() - startedAt;
  }

  /** Runs a command in the container, as its user. */
  run = (...command: string[]) => tryTool('runc', [...this.#root, 'exec', this.#id, ...command]);

  /** Signals its first process. Returns the exit status and how long the end took. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<{ status: number | null; ms: number }> {
    if (!this.#tool || this.#tool.hasEnded()) throw new Error(`The container ended before ${signal}:\n${this.printed}`);
    const exited = once(this.#tool.child, 'exit', { signal: AbortSignal.timeout(STOP_LIMIT_MS) });
    const sentAt = performance.now();
    await runTool('runc', [...this.#root, 'kill', this.#id, signal]);
    const [status] = await exited;
    return { status, ms: performance.now() - sentAt };
  }

  /** Removes the container, even while it runs. */
  remove = () => tryTool('runc', [...this.#root, 'delete', '--force', this.#id]);

  get #runArguments() {
    return [...this.#root, 'run', '--bundle', this.#options.bundle, this.#id];
  }

  /** The output of the product since its last start. */
  get printed() {
    return `${this.#tool?.output}${this.#tool?.errors}`;
  }

  /** @param command replaces the image's command */
  async #configure(command?: readonly string[]): Promise<void> {
    const { bundle, data } = this.#options;
    const file = join(bundle, 'config.json');
    // As `umoci unpack` wrote it.
    this.#unpacked ??= await readFile(file, 'utf8');
    const { process: image, linux, mounts, ...spec } = JSON.parse(this.#unpacked);
    const { resources: _, cgroupsPath: _path, ...rest } = linux;
    const kernel = mounts.filter(({ destination }: { destination: string }) => KERNEL_MOUNTS.includes(destination));
    const volume = { destination: '/data', type: 'bind', source: data, options: ['bind', 'rw', 'nosuid', 'nodev'] };
    const changed = {
      ...spec,
      process: { ...image, ...(command && { args: command }), terminal: false, capabilities: {} },
      root: { path: 'rootfs', readonly: true },
      mounts: [...kernel, TEMPORARY, volume],
      linux: { ...rest, namespaces: ['pid', 'mount', 'ipc', 'uts', 'network'].map((type) => ({ type })) },
    };
    await writeFile(file, JSON.stringify(changed));
  }
}
