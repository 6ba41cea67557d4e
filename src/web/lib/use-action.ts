import { useMutation } from '@tanstack/react-query';
import type { Address, Answer, CallInput, Endpoint } from '#contracts/endpoint.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { type CallArguments, call } from '#web/lib/call.ts';

interface Outcome<E> {
  /** Shows the expected result before the server has answered. Returns how to take that back. */
  onStart?: (input: CallInput<E>) => () => void;
  onSuccess?: (answer: Answer<E>, input: CallInput<E>) => unknown;
  onError?: (error: ApiError, input: CallInput<E>) => unknown;
}

const asApiError = (error: Error) =>
  error instanceof ApiError
    ? error
    : new ApiError({ status: 0, statusText: '', message: error.message, url: '', cause: error });

/**
 * A call that changes something: `const archive = useAction(archiveInterview, { onSuccess })`, then `archive.mutate({ params: { id } })`.
 * When the session has expired neither outcome runs: the person is on the way to the login.
 */
export const useAction = <E extends Endpoint>(endpoint: Address<E>, outcome: Outcome<E> = {}) =>
  useMutation({
    // Whoever has to know that this call is on its way finds it by the endpoint's path.
    mutationKey: [endpoint.path],
    mutationFn: (input: CallInput<E>) => call(endpoint, ...([input] as unknown as CallArguments<E>)),
    onMutate: (input) => outcome.onStart?.(input),
    onSuccess: async (answer, input, takeBack) => {
      if (answer === null) takeBack?.();
      else await outcome.onSuccess?.(answer, input);
    },
    onError: async (error, input, takeBack) => {
      takeBack?.();
      await outcome.onError?.(asApiError(error), input);
    },
  });
