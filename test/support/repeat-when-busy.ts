import { setTimeout as pause } from 'node:timers/promises';

const MAX_TRIES = 40;
const RETRY_DELAY_MS = 250;

/** Repeats a request that the overload guard refused, because other programs use the machine. */
export async function repeatWhenBusy<Received extends { status: number; text: string }>(
  send: () => Promise<Received>,
): Promise<Received> {
  for (let tries = 1; ; tries += 1) {
    const received = await send();
    const isRefused = received.status === 503 && received.text.includes('The server is very busy.');
    if (!isRefused || tries === MAX_TRIES) return received;
    await pause(RETRY_DELAY_MS);
  }
}
