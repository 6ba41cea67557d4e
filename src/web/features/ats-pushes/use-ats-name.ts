import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useMay } from '#web/lib/may.ts';

/** The name of the ATS, such as Bullhorn. Null without an ATS or the right to send to it. */
export function useAtsName(): string | null {
  const maySend = useMay()('POST /api/interviews/:id/ats');
  const { data } = useQuery({ ...endpointQuery('/api/ats'), enabled: maySend });
  return data && data.state !== 'not_configured' ? data.name : null;
}
