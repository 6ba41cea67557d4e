import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { useSettled } from '#web/lib/use-settled.ts';
import type { Command } from './use-commands.ts';

const MAX_CANDIDATES = 5;
const MIN_SEARCH_LENGTH = 2;

/** Commands that open in the player the first interviews that the list's search finds. */
export function useCandidates(text: string): { candidates: Command[]; isSearching: boolean } {
  const [location, navigate] = useLocation();
  const { open } = useDialog(['video']);
  const search = useSettled(text.trim());
  const isOn = search.length >= MIN_SEARCH_LENGTH && text.trim().length >= MIN_SEARCH_LENGTH;
  const { data, isFetching } = useQuery({
    ...endpointQuery('/api/interviews', { query: { search, limit: MAX_CANDIDATES, texts: 'false' } }),
    enabled: isOn,
    placeholderData: keepPreviousData,
  });
  const candidates = (isOn && data?.interviews) || [];
  return {
    isSearching: isFetching || (text.trim() !== search && text.trim().length >= MIN_SEARCH_LENGTH),
    candidates: candidates.map(({ id, candidateName, title }) => ({
      id: `candidate-${id}`,
      group: 'Candidates',
      label: candidateName || 'No candidate name',
      hint: title,
      // On the dashboard the filters of the list are kept.
      run: () =>
        location === '/'
          ? open('video', id)
          : navigate(`/?${new URLSearchParams({ interview: id })}`, { replace: true }),
    })),
  };
}
