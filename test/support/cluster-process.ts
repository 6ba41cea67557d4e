import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from './until.ts';

/** A web process is `degraded` without a worker. */
const READY: ReadonlySet<string | null> = new Set(['ok', 'degraded']);
const START_LIMIT_MS = 120_000;
/** More than `SHUTDOWN_DELAY_S` and the product's own limit of 15 s. */
const STOP_LIMIT_MS = 30_000;

export interface ProcessPlan {
  name: string;
  role: 'web' | 'worker';
  /** Stays the same when the process is started again. */
  port: number;
  env: Record<string, string>;
  /** The log of the process, which each start continues. */
  logFile: string;
}

/** A process of the product with one role, which can be killed, stopped and started again. */
export class ClusterProcess {
  readonly plan: ProcessPlan;
  #child: ChildProcess | null = null;
  #isExpectedToEnd = false;
  /** Ends that followed neither `kill` nor `terminate`. */
  crashes = 0;

  constructor(plan: ProcessPlan) {
    this.plan = plan;
  }

  /**
   * Resolves when the process is ready.
   * @param root the folder of the release to start
   */
  async start(root: string): Promise<void> {
    const { port, env, logFile, name } = this.plan;
    const log = createWriteStream(logFile, { flags: 'a' });
    const child = fork(`${root}/src/server/main.mjs`, {
      cwd: root,
      execArgv: [],
      env: { ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    child.once('exit', () => {
      if (!this.#isExpectedToEnd) this.crashes += 1;
    });
    this.#child = child;
    this.#isExpectedToEnd = false;
    await until(
      `${name} is ready`,
      async () => {
        if (this.#hasEnded)
          throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}. Its log: ${logFile}`);
        await pause(50);
        return READY.has(await this.readiness());
      },
      START_LIMIT_MS,
    );
  }

  async isReady(): Promise<boolean> {
    return (await this.readiness()) === 'ok';
  }

  /** The status in the response of `/readyz`; null when the process does not respond. */
  async readiness(): Promise<string | null> {
    try {
      const signal = AbortSignal.timeout(5_000);
      const response = await fetch(`http://127.0.0.1:${this.plan.port}/readyz`, { signal });
      return ((await response.json()) as { status: string }).status;
    } catch {
      return null;
    }
  }

  get #hasEnded(): boolean {
    return this.#child?.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Ends the process without running its signal handlers. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Stops the process in order. Resolves with its exit code; null if it had to be killed. */
  terminate(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (!child) return null;
    if (!this.#hasEnded) {
      this.#isExpectedToEnd = true;
      const ended = once(child, 'exit');
      child.kill(signal);
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await ended;
      clearTimeout(late);
    }
    return child.exitCode;
  }
}
