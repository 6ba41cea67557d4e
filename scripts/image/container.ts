import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '#support/until.ts';
import { runTool, tryTool } from './run-tool.ts';

interface ContainerOptions {
  /** As `BuiltImage.unpack` wrote it. */
  bundle: string;
  /** Mounted at /data. */
  data: string;
  port: number;
  /** Where runc keeps its state. */
  folder: string;
}

/** As Docker mounts them with `read_only: true` and `tmpfs: [/tmp]`. */
const KERNEL_MOUNTS = ['/proc', '/dev', '/dev/pts', '/dev/shm'];

/**
 * A container of the image with a read-only root file system and no capabilities. It shares the
 * network of this machine. Memory and processors are not limited: an engine would do that.
 */
export class Container {
  readonly #options: ContainerOptions;
  readonly #id = `interviews-${randomUUID()}`;
  #child: ChildProcess | null = null;
  printed = '';

  constructor(options: ContainerOptions) {
    this.#options = options;
  }

  /** Returns the milliseconds until the product was ready. */
  async start(): Promise<number> {
    const { bundle, port } = this.#options;
    await this.#configure();
    const startedAt = performance.now();
    this.#child = spawn('runc', [...this.#root, 'run', '--bundle', bundle, this.#id], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk) => {
        this.printed += chunk;
      });
    await until(
      'the product is ready',
      async () => this.#hasEnded || (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok,
      60_000,
    );
    if (this.#hasEnded) throw new Error(`The container ended:\n${this.printed}`);
    return performance.now() - startedAt;
  }

  /** Runs a command in the container, as its user. */
  run = (...command: string[]) => tryTool('runc', [...this.#root, 'exec', this.#id, ...command]);

  /** Signals its first process. Returns the exit status and how long the end took. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<{ status: number | null; ms: number }> {
    const child = this.#child;
    if (!child) return { status: null, ms: 0 };
    const exited = once(child, 'exit');
    const sentAt = performance.now();
    await runTool('runc', [...this.#root, 'kill', this.#id, signal]);
    const [status] = await exited;
    return { status, ms: performance.now() - sentAt };
  }

  /** Removes the container, also while it runs. */
  remove = () => tryTool('runc', [...this.#root, 'delete', '--force', this.#id]);

  get #root() {
    return ['--root', join(this.#options.folder, 'runc')];
  }

  get #hasEnded() {
    return this.#child?.exitCode !== null;
  }

  async #configure(): Promise<void> {
    const { bundle, data, port } = this.#options;
    const file = join(bundle, 'config.json');
    const { process: image, linux, mounts, ...spec } = JSON.parse(await readFile(file, 'utf8'));
    const { resources: _, cgroupsPath: _path, ...rest } = linux;
    const env = image.env.filter((text: string) => !text.startsWith('PORT='));
    const kernel = mounts.filter(({ destination }: { destination: string }) => KERNEL_MOUNTS.includes(destination));
    const temporary = {
      destination: '/tmp',
      type: 'tmpfs',
      source: 'tmpfs',
      options: ['nosuid', 'nodev', 'mode=1777'],
    };
    const volume = { destination: '/data', type: 'bind', source: data, options: ['bind', 'rw', 'nosuid', 'nodev'] };
    const changed = {
      ...spec,
      process: { ...image, terminal: false, capabilities: {}, env: [...env, `PORT=${port}`] },
      root: { path: 'rootfs', readonly: true },
      mounts: [...kernel, temporary, volume],
      linux: { ...rest, namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })) },
    };
    await writeFile(file, JSON.stringify(changed));
  }
}
