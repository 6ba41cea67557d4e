import { type OutgoingProxy, refusedTunnel, unreachable } from '#server/adapters/outside-http/outgoing-proxy.ts';
import { findReason } from '#server/adapters/outside-http/outside-call.ts';
import { FileStoreError, type FileStoreErrorKind } from '#server/ports/file-store.ts';
import { findErrorCode } from '#server/ports/tls-problem.ts';

/** The bucket that the messages name. */
export interface S3Place {
  /** The bucket's name. */
  name: string;
  /** The service. */
  place: string;
  /** Undefined if the service is called without one. */
  proxy: OutgoingProxy | undefined;
}

interface ServiceError {
  name?: string;
  code?: string;
  /** The status with which a proxy rejected the request. */
  statusCode?: number;
  $metadata?: { httpStatusCode?: number };
}

const statusOf = (error: unknown): number | undefined => (error as ServiceError)?.$metadata?.httpStatusCode;

/** For an object. A missing bucket is reported by `probe` and by writing. */
export const isMissingObject = (error: unknown): boolean =>
  statusOf(error) === 404 && (error as ServiceError).name !== 'NoSuchBucket';

/**
 * Translates an error of the AWS SDK. Responses to HEAD requests have no body, so their error codes
 * are derived from the status.
 */
export function s3Error(error: unknown, bucket: S3Place, action: 'read' | 'write'): FileStoreError {
  if (error instanceof FileStoreError) return error;
  const { name = '' } = error as ServiceError;
  const status = statusOf(error);
  const kind = kindOf(error, action);
  const details = { name, status, code: findErrorCode(error), reason: reasonOf(error, bucket) };
  return new FileStoreError(kind, messageOf(kind, bucket, details), { cause: error });
}

/** The response to a signed request that was not sent by the SDK. */
export function statusError(status: number, bucket: S3Place): FileStoreError {
  const kind = status === 403 ? 'credentials_refused' : 'unavailable';
  return new FileStoreError(kind, messageOf(kind, bucket, { name: '', status, code: '', reason: null }));
}

/** Node's client sends http requests through a proxy without a tunnel. */
const PROXY_NO_SIGN_IN = 407;

/** Why the service could not be reached, for an administrator. */
function reasonOf(error: unknown, { proxy }: S3Place): string | null {
  const { code, statusCode } = error as ServiceError;
  const status = code === 'ERR_PROXY_TUNNEL' ? statusCode : statusOf(error);
  if (proxy && status !== undefined) return refusedTunnel(status);
  return findReason(error, 'S3_ENDPOINT') ?? (proxy ? unreachable(error) : null);
}

function kindOf(error: unknown, action: 'read' | 'write'): FileStoreErrorKind {
  const { name = '' } = error as ServiceError;
  const status = statusOf(error);
  // The response to a HEAD request for the bucket has no error name.
  if (name === 'NoSuchBucket' || name === 'NotFound') return 'bucket_missing';
  if (name === 'CredentialsProviderError') return 'credentials_refused';
  if (name === 'AccessDenied' && action === 'write') return 'read_only';
  if (status === 401 || status === 403) return 'credentials_refused';
  if (status === 507 || /QuotaExceeded|StorageFull/.test(name)) return 'full';
  return status === undefined || status === PROXY_NO_SIGN_IN ? 'unreachable' : 'unavailable';
}

interface Details {
  name: string;
  status: number | undefined;
  code: string;
  /** Why it cannot be reached, if that is known. */
  reason: string | null;
}

function messageOf(
  kind: FileStoreErrorKind,
  { name: bucket, place }: S3Place,
  { name, status, code, reason: cause }: Details,
): string {
  const reason = [name, status].filter((part) => part && part !== 'Error').join(', ');
  switch (kind) {
    case 'bucket_missing':
      return `There is no bucket "${bucket}" at ${place}. Create it, or correct S3_BUCKET, S3_ENDPOINT and S3_REGION.`;
    case 'credentials_refused':
      return name === 'CredentialsProviderError'
        ? 'Credentials for S3 are missing. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or provide them where the AWS SDK looks.'
        : `${place} refused the credentials for the bucket "${bucket}" (${reason}). Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and their permissions.`;
    case 'read_only':
      return `The bucket "${bucket}" cannot be written (${reason}). Allow the credentials to write and delete objects.`;
    case 'full':
      return `The bucket "${bucket}" is full (${reason}). Free space or raise its quota.`;
    case 'unreachable':
      if (cause) return `${place} can't be reached: ${cause}`;
      return `${place} does not answer${code ? ` (${code})` : ''}. Check S3_ENDPOINT and the network.`;
    default:
      return `${place} cannot use the bucket "${bucket}" (${reason || 'unknown error'}). Check S3_REGION and the service.`;
  }
}
