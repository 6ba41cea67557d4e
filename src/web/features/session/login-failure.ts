import type { ApiError } from '#web/lib/api-error.ts';

const BY_STATUS: Record<number, string> = {
  401: 'Invalid username or password',
  500: 'Internal server error. Please try again later.',
};

/** What the toast says about a failed login: the message, then the details in parentheses when there are any. */
export function loginFailure({
  status,
  code,
  message,
  details,
}: Pick<ApiError, 'status' | 'message' | 'details'> & { code?: string | undefined }): string {
  const text = (code !== 'wrong_code' && BY_STATUS[status]) || message || 'Login failed';
  return details ? `${text} (${details})` : text;
}
