import { onTestFinished } from 'vitest';
import { getInterview, type Interview, listInterviews } from '#contracts/interviews.ts';
import { type LogEntry, listLogs } from '#contracts/logs.ts';
import { convertInterview, summarizeInterview, transcribeInterview } from '#contracts/processing.ts';
import { STEPS, type Step } from '#contracts/rules/steps.ts';
import type { ServiceInterview } from '#sandbox/interview.ts';
import { productVariables } from '#sandbox/product-variables.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';
import type { Person } from './call.ts';
import { FUNNEL, refresh } from './refreshing.ts';
import { startApp, type TestApp } from './start-app.ts';
import { startSandbox } from './start-sandbox.ts';
import { until } from './until.ts';

const ENDPOINTS = {
  convert: convertInterview,
  transcribe: transcribeInterview,
  summarize: summarizeInterview,
} as const;

interface Options {
  /** False when another server will use the same data. */
  isAlone?: boolean;
  /** Added to the variables that connect everything; an empty text unsets one. */
  env?: Record<string, string>;
  /** Changes the interview at its service before the refresh. */
  at?: (sandbox: Sandbox) => Partial<ServiceInterview>;
  /** Receives the cleanup; by default it runs when the test ends. */
  onFinished?: (clear: () => Promise<void>) => void;
}

/** Starts a server with every service of a sandbox connected, and one refreshed interview. */
export async function setUpProcessing({ env = {}, at, isAlone = true, onFinished = onTestFinished }: Options = {}) {
  const sandbox = await startSandbox(onFinished);
  const funnel = sandbox.funnels.find(({ funnelId }) => funnelId === FUNNEL);
  const [first] = sandbox.control.interviews(FUNNEL);
  if (!funnel || !first) throw new Error('The sandbox has no such funnel');
  if (at) sandbox.control.change(FUNNEL, first.id, at(sandbox));
  const product = await startApp({ isAlone, env: { ...productVariables(sandbox), ...env }, onFinished });
  const recruiter = await product.signedIn();
  const funnelId = await product.build.activeFunnel(recruiter, funnel);
  await refresh(product, recruiter);
  return { sandbox, product, recruiter, funnel, funnelId, ...stepsOf(recruiter, first.id) };
}

/** Starts and observes the steps of one interview. */
export function stepsOf(recruiter: Person, id: string) {
  const read = (): Promise<Interview> => recruiter.call(getInterview, { params: { id } });
  const start = (step: Step) => recruiter.call(ENDPOINTS[step], { params: { id } });
  /** Resolves with the interview after the step's end. */
  const ended = (step: Step, limitMs = 20_000): Promise<Interview> =>
    until(
      `${step} ends`,
      async () => {
        const interview = await read();
        return interview[STEPS[step].status] === 'in-progress' ? null : interview;
      },
      limitMs,
    );
  const done = async (step: Step) => {
    await start(step);
    return ended(step);
  };
  return { id, read, start, ended, done };
}

export async function logsOf(recruiter: Person, action: string): Promise<LogEntry[]> {
  const { logs } = await recruiter.call(listLogs, { query: { limit: 100 } });
  return logs.filter((entry) => entry.action === action);
}

/** The badge filters that match the interview. */
export async function badgesShown(recruiter: Person, id: string): Promise<string[]> {
  const badges = ['new', 'processing', 'pending', 'sent', 'error'] as const;
  const found = await Promise.all(
    badges.map(async (status) => {
      const { interviews } = await recruiter.call(listInterviews, { query: { status, limit: 100 } });
      return interviews.some((interview) => interview.id === id) ? [status] : [];
    }),
  );
  return found.flat();
}

export const unfinished = (product: TestApp) => product.db.selectFrom('step_run').selectAll().execute();
