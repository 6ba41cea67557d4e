import { setTimeout as pause } from 'node:timers/promises';
import type { ProductProcess } from '#support/start-process.ts';
import type { Stage } from './stage.ts';
import { chance, SEED } from './stage.ts';

/** The work during which the product is killed. */
export interface Work {
  /** Also seeds its random moments. */
  name: string;
  kills: number;
  /** Runs once, before the first kill. */
  prepare(product: ProductProcess, stage: Stage): Promise<void>;
  /** Starts the work without waiting for it. Calls that the kill interrupts may fail. */
  begin(product: ProductProcess, stage: Stage, round: number): Promise<void>;
  /** The latest moment of the kill after `begin`, in milliseconds. */
  withinMs: number;
  /** Checks more than the invariants once the next process is idle. */
  check?(product: ProductProcess, stage: Stage, round: number): Promise<void>;
  /** Kills the product; `kill -9` by default. */
  kill?(product: ProductProcess, stage: Stage): Promise<void>;
}

/**
 * Kills the product at random moments, restarts it each time, and checks its state once it is idle.
 */
export async function killRepeatedly(work: Work, stage: Stage): Promise<void> {
  const moment = chance(work.name);
  let product = await stage.start();
  await work.prepare(product, stage);
  for (let round = 1; round <= work.kills; round += 1) {
    const afterMs = Math.round(moment() * work.withinMs);
    try {
      await work.begin(product, stage, round);
      await pause(afterMs);
      await (work.kill ?? killProduct)(product, stage);
      product = await stage.start();
      await stage.settled();
      await stage.expectConsistent();
      await work.check?.(product, stage, round);
    } catch (cause) {
      throw new Error(`kill ${round} of ${work.kills}, after ${afterMs} ms (FAULT_SEED=${SEED}): ${String(cause)}`, {
        cause,
      });
    }
  }
}

const killProduct = (product: ProductProcess) => product.kill();

/** Ignores the failure of a call that a kill may interrupt. */
export const cutOff = (call: Promise<unknown>): void => void call.catch(() => {});
