import type { Exchange } from './exchange.ts';

/** Waits, but not longer than the peer does. */
export function sleepWhileConnected(exchange: Exchange, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const { response } = exchange;
    const done = () => {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    response.once('close', done);
    if (response.destroyed) done();
  });
}
