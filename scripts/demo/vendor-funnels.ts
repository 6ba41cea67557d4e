import type { FunnelForm } from '#contracts/funnels.ts';
import type { Sandbox } from '#sandbox/start-sandbox.ts';

/** A funnel for each vendor, and one for uploads. */
export const vendorFunnels = ({ hireflix, videoask }: Sandbox): Partial<FunnelForm>[] => [
  {
    name: 'Product Designer',
    clientName: 'Northwind Health',
    source: 'hireflix',
    apiKey: hireflix.apiKey,
    funnelId: hireflix.positionId,
  },
  {
    name: 'Barista',
    clientName: 'Corner Coffee',
    source: 'videoask',
    apiKey: videoask.organization,
    funnelId: videoask.formId,
  },
  // Uploads use neither a key nor an id, but the API requires both.
  { name: 'Electrician', clientName: 'Brightline Power', source: 'upload', apiKey: 'none', funnelId: 'none' },
];
