import { afterAll, afterEach, onTestFinished } from 'vitest';
import { type Sandbox, startSandbox as start } from '#sandbox/start-sandbox.ts';

/** Starts a sandbox. By default it is closed when the test ends. */
export async function startSandbox(
  onFinished: (close: () => Promise<void>) => void = onTestFinished,
): Promise<Sandbox> {
  const sandbox = await start();
  onFinished(() => sandbox.close());
  return sandbox;
}

/**
 * Starts a sandbox for all tests of a file. Each test begins with the settings of the start.
 */
export async function sandboxOfFile(): Promise<Sandbox> {
  const sandbox = await startSandbox(afterAll);
  afterEach(() => sandbox.control.reset());
  return sandbox;
}
