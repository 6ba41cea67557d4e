import sampleUrl from './sample-recording.mp4';
import { addFiles, claimQueue, readyFiles, startAll } from './upload-queue.ts';

const FILE_NAME = 'Tomas Berg - Warehouse Team Lead.mp4';

/** Starts the upload of the sample to a funnel. The upload dialog then shows it. */
export async function queueSample(accountId: number, funnelId: number): Promise<void> {
  const response = await fetch(sampleUrl);
  if (!response.ok) throw new Error('The recording could not be loaded. Try again.');
  const file = new File([await response.blob()], FILE_NAME, { type: 'video/mp4' });
  claimQueue(accountId);
  addFiles([file], funnelId, []);
  startAll(readyFiles(funnelId).map(({ key }) => key));
}
