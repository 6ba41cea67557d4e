import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { thumbnailFileUrl } from '#web/features/interviews/card/interview-thumbnail.tsx';
import { type InterviewFilters, PAGE_SIZE } from '#web/features/interviews/interview-filters.ts';
import { interviewsQuery } from '#web/features/interviews/interviews-query.ts';
import { afterResponses } from '#web/lib/after-responses.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { toast } from '#web/lib/toast.ts';
import { showNextInterview } from '#web/lib/use-dialog.ts';

/** Pending archive calls. Until they end, the server still lists these interviews. */
export const ARCHIVE = ['POST /api/interviews/:id/archive'] as const;
const pageOf = (offset: number) => Math.floor(offset / PAGE_SIZE) + 1;

/** The list around the open interview: the same filters and order, across pages. */
export function useReviewQueue({ id }: Interview, filters: InterviewFilters) {
  const { place, page } = usePlace(id, filters);
  const itemAt = useItemAt(id, filters, page?.interviews);
  const total = page?.total ?? 0;
  const next = place.isListed ? place.offset + 1 : place.offset;
  const following = useFollowing(next, filters, page);

  // The user may press another key or close the player while the next interview is read.
  const isReading = useRef(false);
  const readAt = async (offset: number) => {
    isReading.current = true;
    const item = await itemAt(offset);
    isReading.current = false;
    return item;
  };
  const shown = () => new URLSearchParams(location.search).get('interview');
  const isOpen = () => shown() === id;
  const show = (shownId: string, offset: number) => showNextInterview(shownId, pageOf(offset));
  const move = async (to: number) => {
    if (to < 0 || to >= total || isReading.current) return;
    const item = await readAt(to);
    if (item && isOpen()) show(item.id, to);
  };
  return {
    /** The index of the interview in the list; null if it is not in the list. */
    offset: place.isKnown ? place.offset : null,
    total,
    following,
    hasNext: next < total,
    hasPrevious: place.isKnown && place.offset > 0,
    showNext: () => move(next),
    showPrevious: () => move(place.isKnown ? place.offset - 1 : -1),
    isReading: () => isReading.current,
    /** False once the user has closed the player or moved on. */
    isOpen,
    /** Returns undefined at the end of the list, and null if the next interview cannot be read. */
    readNext: async () => (next < total ? readAt(next) : undefined),
    /** Shows the next interview, which moves to this index if the current one leaves the list. */
    continueTo: (item: Interview, isLeaving: boolean) => show(item.id, isLeaving ? place.offset : next),
    /** Shows an interview of the list again, unless the player is closed. */
    showAgain: (shownId: string, offset: number) => shown() !== null && show(shownId, offset),
  };
}

export type ReviewQueue = ReturnType<typeof useReviewQueue>;

/** The index of the interview in the list, or its last index once it has left the list. */
function usePlace(id: string, filters: InterviewFilters) {
  const { data: page } = useQuery({ ...interviewsQuery(filters), placeholderData: () => undefined });
  const first = (filters.page - 1) * PAGE_SIZE;
  const index = page?.interviews.findIndex((interview) => interview.id === id) ?? -1;
  const [last, setLast] = useState<{ id: string; offset: number } | null>(null);
  if (index >= 0 && (last?.id !== id || last.offset !== first + index)) setLast({ id, offset: first + index });
  const lastOffset = last?.id === id ? last.offset : null;
  const isListed = index >= 0;
  return {
    page,
    place: {
      isListed,
      isKnown: isListed || lastOffset !== null,
      offset: isListed ? first + index : (lastOffset ?? first),
    },
  };
}

/** Loads the interview at an index, which may be on another page. */
function useItemAt(id: string, filters: InterviewFilters, listed: readonly Interview[] | undefined) {
  const queryClient = useQueryClient();
  return async (offset: number): Promise<Interview | undefined | null> => {
    const index = offset % PAGE_SIZE;
    const known = pageOf(offset) === filters.page ? listed?.[index] : undefined;
    if (known && known.id !== id) return known;
    const query = interviewsQuery({ ...filters, page: pageOf(offset) });
    try {
      await new Promise<void>((resolve) => afterResponses(queryClient, { routes: ARCHIVE }, resolve));
      const item = (await queryClient.fetchQuery(query))?.interviews[index];
      if (item && item.id !== id) return item;
      // An interview was just archived, so the page is one short.
      const current = await queryClient.fetchQuery({ ...query, staleTime: 0 });
      return current?.interviews.slice(index).find((interview) => interview.id !== id);
    } catch {
      toast({
        title: 'Error',
        description: "Couldn't load the next interview. Check your connection and try again.",
        variant: 'destructive',
      });
      return null;
    }
  };
}

/**
 * Returns the next interview. Loads in advance the next page of the list, the picture and the
 * responses, but not the transcript: the server would record that the user reads it. The video is
 * left to `useFollowingVideo`.
 */
function useFollowing(
  next: number,
  filters: InterviewFilters,
  page: { interviews: Interview[]; total: number } | null | undefined,
): Interview | null {
  const queryClient = useQueryClient();
  const nextPage = filters.page + 1;
  const isNear = next % PAGE_SIZE >= PAGE_SIZE - 2 || pageOf(next) === nextPage;
  const { data } = useQuery({
    ...interviewsQuery({ ...filters, page: nextPage }),
    placeholderData: () => undefined,
    enabled: isNear && page != null && filters.page * PAGE_SIZE < page.total,
  });
  const listed = pageOf(next) === filters.page ? page : data;
  const following = listed?.interviews[next % PAGE_SIZE] ?? null;
  const followingId = following?.id;
  const picture = following?.thumbnailFile;
  useEffect(() => {
    if (followingId === undefined) return;
    queryClient.prefetchQuery(endpointQuery('/api/interviews/:id/answers', { params: { id: followingId } }));
  }, [queryClient, followingId]);
  useEffect(() => {
    if (picture) new Image().src = thumbnailFileUrl(picture);
  }, [picture]);
  return following;
}
