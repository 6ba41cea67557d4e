import { setTimeout as pause } from 'node:timers/promises';
import type { Interview } from '#contracts/interviews.ts';
import { STEP_NAMES, STEPS, type Step } from '#contracts/rules/steps.ts';
import type { RefreshStatus } from '#contracts/sync.ts';
import type { Cluster } from '#support/cluster.ts';
import type { CallFailed, Recruiter } from '#support/recruiter.ts';
import { until } from '#support/until.ts';
import type { Observations } from '../load/observations.ts';

export const FUNNEL = 'warehouse';
const FIRST_VIDEOS = 300;
const FURTHER_VIDEOS = 10;
/** More than `MIN_VIDEO_BYTES` of the users. */
const VIDEO_BYTES = 400_000;
const POLL_MS = 1_000;
const REFRESH_PAUSE_MS = 3_000;
/** The longest time that a step or a refresh may take, interruptions included. */
const END_LIMIT_MS = 300_000;

interface LoadParts {
  cluster: Cluster;
  recruiter: Recruiter;
  observations: Observations;
}

/** A cluster under load. */
export interface RunningCluster extends LoadParts {
  load: RefreshesAndSteps;
}

/** Runs refreshes one after the other, and starts each step of the chosen interviews once. */
export class RefreshesAndSteps {
  readonly #parts: LoadParts;
  readonly #stopping = new AbortController();
  #planned: { id: string; step: Step }[] = [];
  readonly #started: Promise<void>[] = [];
  #refreshing: Promise<void> = Promise.resolve();
  refreshes = 0;
  finishedSteps = 0;

  constructor(parts: LoadParts) {
    this.#parts = parts;
  }

  /** Starts the first refresh and plans the three steps of `interviews` interviews of it. */
  async begin(interviews: number): Promise<void> {
    const { cluster, recruiter, observations } = this.#parts;
    await recruiter.connect(cluster.sandbox.funnels.find(({ funnelId }) => funnelId === FUNNEL));
    this.#refreshing = this.#refreshRepeatedly().catch((error) => observations.addProblem(String(error)));
    const grown = new Set(this.#grow(FIRST_VIDEOS));
    const chosen = await until(
      'the first interviews are listed',
      async () => {
        await pause(POLL_MS);
        const ids = (await recruiter.interviews('texts=false')).map(({ id }) => id).filter((id) => grown.has(id));
        return ids.length >= interviews && ids.slice(0, interviews);
      },
      END_LIMIT_MS,
    );
    this.#planned = chosen.flatMap((id) => STEP_NAMES.map((step) => ({ id, step })));
  }

  /** The number of planned steps that have not been started. */
  get plannedSteps(): number {
    return this.#planned.length;
  }

  /** Starts the next planned steps. */
  startSteps(count: number): void {
    for (const { id, step } of this.#planned.splice(0, count))
      this.#started.push(this.#runStep(id, step).catch((error) => this.#parts.observations.addProblem(String(error))));
  }

  /** Starts the remaining steps, waits for all work, and refreshes again. */
  async finish(): Promise<void> {
    this.startSteps(this.plannedSteps);
    this.#stopping.abort();
    await this.#refreshing;
    await Promise.all(this.#started);
    await this.refresh();
  }

  /** Waits until all started steps, and a refresh that begins after now, have ended. */
  async settle(): Promise<void> {
    // The running refresh may have begun earlier, so the one after it must end too.
    const enough = this.refreshes + 2;
    await Promise.all(this.#started);
    await until('two refreshes have ended', () => pause(POLL_MS, this.refreshes >= enough), END_LIMIT_MS);
  }

  #grow(count: number): string[] {
    const { control } = this.#parts.cluster.sandbox;
    return control.grow(FUNNEL, count, { videoBytes: VIDEO_BYTES, newestAt: new Date() }).map(({ id }) => id);
  }

  async #refreshRepeatedly(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.refresh();
      this.#grow(FURTHER_VIDEOS);
      await pause(REFRESH_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Refreshes and waits for the end. */
  async refresh(): Promise<void> {
    await this.#startOnce('GET', '/api/interviews/sync?timeframe=all');
    const status = await this.#polled<RefreshStatus>('/api/interviews/sync/status', ({ inProgress }) => !inProgress);
    this.refreshes += 1;
    if (status.error !== null) this.#parts.observations.addProblem(`a refresh failed: ${status.error}`);
  }

  async #runStep(id: string, step: Step): Promise<void> {
    const path = `/api/interviews/${encodeURIComponent(id)}`;
    const field = STEPS[step].status;
    const isStarted = async () => (await this.#parts.recruiter.call<Interview>('GET', path))[field] !== null;
    await this.#startOnce('POST', `${path}/${step}`, isStarted);
    const interview = await this.#polled<Interview>(
      path,
      (read) => read[field] !== null && read[field] !== 'in-progress',
    );
    const state = interview.processingStatus[STEPS[step].record];
    if (interview[field] === 'completed') this.finishedSteps += 1;
    else this.#parts.observations.addProblem(`a step failed: ${step}, ${JSON.stringify(state)}`);
  }

  /**
   * Repeats a call that failed. 409 means that an earlier call, whose response was lost, has
   * started the refresh or step. It may have ended since, so each repetition first calls
   * `isStarted`.
   */
  async #startOnce(method: 'GET' | 'POST', path: string, isStarted = async () => false): Promise<void> {
    const { recruiter, observations } = this.#parts;
    const deadline = performance.now() + END_LIMIT_MS;
    for (;;) {
      const beganAt = performance.now();
      const failed = await recruiter.call(method, path).then(
        () => null,
        (error: CallFailed) => error,
      );
      if (failed === null || failed.status === 409) return;
      const isRefused = failed.status >= 400 && failed.status < 500;
      if (!observations.tolerates.has('failedChange') || isRefused)
        return observations.onProblem(String(failed), beganAt);
      if (beganAt > deadline) throw failed;
      await pause(POLL_MS);
      const started = await until('the product responds', () => isStarted().then(String, () => null), END_LIMIT_MS);
      if (started === 'true') return;
    }
  }

  async #polled<T>(path: string, hasEnded: (body: T) => boolean): Promise<T> {
    const look = async () => {
      const beganAt = performance.now();
      const body = await this.#parts.recruiter.call<T>('GET', path).catch((error: Error) => {
        this.#parts.observations.onProblem(error.message, beganAt);
        return null;
      });
      if (body !== null && hasEnded(body)) return body;
      await pause(POLL_MS);
      return null;
    };
    return until(`${path} has ended`, look, END_LIMIT_MS);
  }
}
