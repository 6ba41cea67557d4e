import type { EntryContent } from '#server/features/logs/mentions.service.ts';
import { isRecord, patternsOf, type Traces } from './traces.ts';

/**
 * Returns the parts of a log entry that mention the candidate, without those about others; null
 * when there are none.
 */
export function pickMentions(entry: EntryContent, traces: Traces): Partial<EntryContent> | null {
  const ids: ReadonlySet<unknown> = new Set(traces.ids);
  const patterns = patternsOf(traces);
  const isAbout = ({ interviewId }: Record<string, unknown>) => ids.has(interviewId);
  const pick = (value: unknown): unknown => {
    if (typeof value === 'string')
      return ids.has(value) || patterns.some((pattern) => value.search(pattern) >= 0) ? value : null;
    if (Array.isArray(value)) {
      const picked = value.map(pick).filter((item) => item !== null);
      return picked.length > 0 ? picked : null;
    }
    if (!isRecord(value)) return null;
    return isAbout(value) ? value : pickFields(value);
  };
  const pickFields = (fields: Record<string, unknown>): Record<string, unknown> | null => {
    const picked = Object.entries(fields)
      .map(([name, value]) => [name, ids.has(name) ? value : pick(value)] as const)
      .filter(([, value]) => value !== null);
    return picked.length > 0 ? Object.fromEntries(picked) : null;
  };
  return isRecord(entry.metadata) && isAbout(entry.metadata) ? entry : pickFields({ ...entry });
}
