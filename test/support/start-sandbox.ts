import { onTestFinished } from 'vitest';
import { type Sandbox, startSandbox as start } from '#sandbox/start-sandbox.ts';

/** Starts a sandbox that is closed when the test ends. */
export async function startSandbox(): Promise<Sandbox> {
  const sandbox = await start();
  onTestFinished(() => sandbox.close());
  return sandbox;
}
