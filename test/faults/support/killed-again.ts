import { setTimeout as pause } from 'node:timers/promises';
import type { ProductProcess } from '#support/start-process.ts';
import { chance, SEED } from './chance.ts';
import type { Stage } from './stage.ts';

/** What the product is busy with when it is killed. */
export interface Work {
  /** Also the name of its random moments. */
  name: string;
  kills: number;
  /** Once, before the first kill. */
  prepare(product: ProductProcess, stage: Stage): Promise<void>;
  /** Starts the work and does not wait for it. What the kill cuts off may be refused. */
  begin(product: ProductProcess, stage: Stage, round: number): Promise<void>;
  /** The latest moment of the kill after the begin. */
  withinMs: number;
  /** What must hold beside the invariants, once the next process has come to rest. */
  afterwards?(product: ProductProcess, stage: Stage, round: number): Promise<void>;
  /** How it is killed: `kill -9` of the product when left out. */
  end?(product: ProductProcess, stage: Stage): Promise<void>;
}

/** Kills the product at one random moment after the other, starts it again each time, and looks at what is left when it has come to rest. */
export async function killedAgain(work: Work, stage: Stage): Promise<void> {
  const moment = chance(work.name);
  let product = await stage.start();
  await work.prepare(product, stage);
  for (let round = 1; round <= work.kills; round += 1) {
    const afterMs = Math.round(moment() * work.withinMs);
    try {
      await work.begin(product, stage, round);
      await pause(afterMs);
      await (work.end ?? kill)(product, stage);
      product = await stage.start();
      await stage.settled();
      await stage.expectWhole();
      await work.afterwards?.(product, stage, round);
    } catch (cause) {
      throw new Error(`kill ${round} of ${work.kills}, after ${afterMs} ms (--seed ${SEED}): ${String(cause)}`, {
        cause,
      });
    }
  }
}

const kill = (product: ProductProcess) => product.kill();

/** For calls that a kill may cut off. */
export const cutOff = (call: Promise<unknown>): void => void call.catch(() => {});
