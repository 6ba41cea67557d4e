import { useMutation } from '@tanstack/react-query';
import type { Route, Routes } from '#contracts/api.ts';
import type { CallInput, ResponseOf } from '#contracts/endpoint.ts';
import { ApiError } from './api-error.ts';
import { type CallArguments, call } from './call.ts';

interface ActionOptions<E> {
  /**
   * Shows the expected result before the server responds. Returns a function that rolls it back.
   */
  onStart?: (input: CallInput<E>) => () => void;
  /** Calls with the same text here are sent one after another. */
  queue?: string;
  /** The browser completes the call when the page is closed. For bodies far below 64 KB. */
  keepalive?: boolean;
  onSuccess?: (response: ResponseOf<E>, input: CallInput<E>) => unknown;
  onError?: (error: ApiError, input: CallInput<E>) => unknown;
}

const asApiError = (error: Error) =>
  error instanceof ApiError
    ? error
    : new ApiError({ status: 0, statusText: '', message: error.message, url: '', cause: error });

/**
 * A call that changes something: `const archive = useAction('POST /api/interviews/:id/archive', {
 * onSuccess })`, then `archive.mutate({ params: { id } })`. When the session has expired neither
 * `onSuccess` nor `onError` runs, because the user is redirected to the login.
 */
export const useAction = <R extends Route>(route: R, options: ActionOptions<Routes[R]> = {}) =>
  useMutation({
    mutationKey: [route],
    ...(options.queue !== undefined && { scope: { id: options.queue } }),
    mutationFn: (input: CallInput<Routes[R]>) =>
      call(route, ...([input, { keepalive: options.keepalive }] as unknown as CallArguments<Routes[R]>)),
    onMutate: (input) => options.onStart?.(input),
    onSuccess: async (response, input, rollBack) => {
      if (response === null) rollBack?.();
      else await options.onSuccess?.(response, input);
    },
    onError: async (error, input, rollBack) => {
      rollBack?.();
      await options.onError?.(asApiError(error), input);
    },
  });
