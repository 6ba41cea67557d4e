import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { activateFunnel, createFunnel } from '#contracts/funnels.ts';
import { listInterviews } from '#contracts/interviews.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import type { Person } from './call.ts';
import { copyDataDir } from './copy-data-dir.ts';
import type { ProductProcess } from './start-process.ts';
import { createTestDatabase } from './test-database.ts';

export const FUNNEL = 'warehouse';

/**
 * Returns a data folder with a migrated embedded database; with DATABASE_URL set, one that does not
 * exist yet.
 */
export async function prepareDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'interviews-process-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const prepared = inject('preparedDataDir');
  if (prepared) await copyDataDir(prepared, join(folder, 'data'));
  return join(folder, 'data');
}

interface Surroundings extends Record<string, string> {
  DATA_DIR: string;
}

/**
 * Returns the environment of a process: its own folder, and its own database if DATABASE_URL is
 * set.
 */
export async function surroundings(sandbox: Sandbox): Promise<Surroundings> {
  const folder: Surroundings = {
    DATA_DIR: await prepareDataDir(),
    ...productVariables(sandbox),
  };
  if (!process.env.DATABASE_URL) return folder;
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  return { ...folder, DATABASE_URL: database.applicationUrl, DATABASE_OWNER_URL: database.url };
}

/** Creates and activates the sandbox's smallest funnel. */
export async function activeFunnel(product: ProductProcess, sandbox: Sandbox): Promise<void> {
  const form = sandbox.funnels.find(({ funnelId }) => funnelId === FUNNEL);
  if (!form) throw new Error(`The sandbox has no funnel ${FUNNEL}`);
  const { id } = await product.call(createFunnel, { body: form });
  await product.call(activateFunnel, { params: { id } });
}

export async function allInterviews(product: ProductProcess | Person) {
  const interviews = [];
  for (let page = 1; ; page += 1) {
    const response = await product.call(listInterviews, {
      query: { page: String(page), limit: '100', texts: 'false' } as never,
    });
    interviews.push(...response.interviews);
    if (interviews.length >= response.total) return { interviews, total: response.total };
  }
}
