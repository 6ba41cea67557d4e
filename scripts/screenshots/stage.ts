import type { Interview } from '#contracts/interviews.ts';
import { until } from '#support/until.ts';
import { startProduct } from '../../test/e2e/support/product.ts';

/**
 * A product with data for every scene: every badge, several funnels, one interview ready to be
 * sent.
 */
export interface Stage {
  address: string;
  cookie: string;
  /** Converted, transcribed and summarized. */
  interview: Interview;
  /** Starts a refresh that is still running when the picture is taken. */
  slowRefresh(): Promise<void>;
  failedRefresh(): Promise<void>;
  /** A refresh that has ended. */
  refresh(): Promise<void>;
  canceledRefresh(): Promise<void>;
  /** Writes an entry of the System Logs. */
  log(): Promise<void>;
  /** Ends the refresh and the faults of the last scene. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export async function setStage(): Promise<Stage> {
  const { address, sandbox, recruiter, sql, stop } = await startProduct();
  const funnels = await recruiter.connect(...sandbox.funnels);
  await recruiter.refresh(...funnels);
  // Without interviews: one for uploads, which use neither a key nor an id.
  await recruiter.funnel({
    name: 'Electrician',
    clientName: 'Brightline Power',
    source: 'upload',
    apiKey: 'none',
    funnelId: 'none',
  });
  const list = await recruiter.interviews();
  const step = async ({ id }: Interview, name: string) => {
    await recruiter.call('POST', `/api/interviews/${id}/${name}`);
    await until(
      'the step ends',
      async () => {
        const { youtubeStatus, transcriptionStatus, summaryStatus } = await recruiter.call<Interview>(
          'GET',
          `/api/interviews/${id}`,
        );
        return ![youtubeStatus, transcriptionStatus, summaryStatus].includes('in-progress');
      },
      60_000,
    );
  };
  const [ready, failed, sent, busy] = list.filter(({ videoUrl }) => videoUrl);
  if (!ready || !failed || !sent || !busy) throw new Error('The sandbox has too few interviews with a video.');
  await step(ready, 'summarize');
  await step(ready, 'convert');
  const refused = sandbox.control.fail({ kind: 'google-refuses', reason: 'invalidTitle' });
  await step(failed, 'convert');
  refused.stop();
  await step(sent, 'summarize');
  await step(sent, 'convert');
  await recruiter.call('POST', `/api/interviews/${sent.id}/destination`, { destinationId: 'BUB-ACME-2026-07' });
  await sql("UPDATE interview SET youtube_status = 'in-progress', youtube_progress = 42 WHERE id = $1", [busy.id]);

  const reset = async () => {
    sandbox.control.clearFaults();
    await recruiter.refreshEnded();
    await recruiter.call('POST', '/api/interviews/sync/dismiss');
  };
  return {
    address,
    cookie: recruiter.cookie,
    interview: ready,
    async slowRefresh() {
      sandbox.control.fail({ kind: 'latency', ms: 5_000 });
      await recruiter.startRefresh();
    },
    async failedRefresh() {
      sandbox.control.fail({ kind: 'status', status: 401 });
      await recruiter.startRefresh();
      await recruiter.refreshEnded();
    },
    async refresh() {
      await recruiter.startRefresh();
      await recruiter.refreshEnded();
    },
    async canceledRefresh() {
      sandbox.control.fail({ kind: 'latency', ms: 1_000 });
      await recruiter.startRefresh();
      await recruiter.call('POST', '/api/interviews/sync/cancel');
      await recruiter.refreshEnded();
    },
    async log() {
      if (funnels[0]) await recruiter.activate(funnels[0]);
    },
    reset,
    stop,
  };
}
