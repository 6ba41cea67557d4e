import {
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { isProxied, type OutgoingProxy } from '#server/adapters/outside-http/outgoing-proxy.ts';
import { FILE_FOLDERS, type FileKind, type SignedHeaders } from '#server/ports/file-store.ts';
import { isMissingObject, s3Error } from './s3-error.ts';

export interface S3Settings {
  /** Undefined for AWS. */
  endpoint: string | undefined;
  region: string;
  bucket: string;
  /** Empty, or ends with a slash. */
  prefix: string;
  forcePathStyle: boolean;
  /** Undefined for the usual sources of the AWS SDK. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  proxy?: OutgoingProxy | undefined;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** For a connection without a byte. */
const IDLE_TIMEOUT_MS = 60_000;
/** An upload occupies one connection, a large one several. */
const MAX_CONNECTIONS = 64;

/** Signed URLs for browsers are valid for this long. */
const SIGNED_SECONDS = 300;
/** Within such a window a URL stays the same, so that caches recognize it. */
const SIGNED_WINDOW_MS = 150_000;

/** The client of one bucket, and the keys of files in it. */
export class Bucket {
  readonly client: S3Client;
  readonly name: string;
  readonly #settings: S3Settings;

  constructor(settings: S3Settings) {
    this.name = settings.bucket;
    this.#settings = settings;
    const { endpoint, region, forcePathStyle, credentials } = settings;
    const { proxy } = this;
    const proxyEnv = proxy && { proxyEnv: { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url } };
    const config: S3ClientConfig = {
      region,
      forcePathStyle,
      ...(endpoint !== undefined && { endpoint }),
      ...(credentials && { credentials }),
      // The client would print warnings to the console. Its errors are thrown and logged by
      // callers.
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      // Many services reject the checksums that the client adds by default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: IDLE_TIMEOUT_MS,
        httpAgent: { maxSockets: MAX_CONNECTIONS, ...proxyEnv },
        httpsAgent: { maxSockets: MAX_CONNECTIONS, ...proxyEnv },
      },
    };
    this.client = new S3Client(config);
  }

  /** Undefined also if the bucket is excepted from the proxy. */
  get proxy(): OutgoingProxy | undefined {
    const { endpoint, region, bucket, forcePathStyle, proxy } = this.#settings;
    const { hostname } = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
    const host = forcePathStyle ? hostname : `${bucket}.${hostname}`;
    return proxy && isProxied(proxy, host) ? proxy : undefined;
  }

  get prefix(): string {
    return this.#settings.prefix;
  }

  /** For messages: the URL, or AWS with its region. */
  get place(): string {
    return this.#settings.endpoint ?? `AWS (${this.#settings.region})`;
  }

  folderOf(kind: FileKind): string {
    return `${this.prefix}${FILE_FOLDERS[kind]}/`;
  }

  keyOf(kind: FileKind, name: string): string {
    return this.folderOf(kind) + name;
  }

  /** For files that are being received: no listing of complete files contains them. */
  incomingFolderOf(kind: FileKind): string {
    return `${this.prefix}incoming/${FILE_FOLDERS[kind]}/`;
  }

  /** Returns the headers of an object, or null if it is missing. */
  findObject(key: string): Promise<HeadObjectCommandOutput | null> {
    return this.client.send(new HeadObjectCommand({ Bucket: this.name, Key: key })).catch((error: unknown) => {
      if (isMissingObject(error)) return null;
      throw error;
    });
  }

  /** A URL from which this process reads an object. @throws FileStoreError */
  signForReading(key: string, seconds: number): Promise<string> {
    return this.#sign({ Bucket: this.name, Key: key }, { expiresIn: seconds });
  }

  /** A URL for a browser; see `RemoteFileStore.signedUrl`. @throws FileStoreError */
  signForBrowser(key: string, headers: SignedHeaders): Promise<string> {
    const input = {
      Bucket: this.name,
      Key: key,
      ResponseContentType: headers.contentType,
      ResponseContentDisposition: headers.contentDisposition,
      ResponseCacheControl: 'no-store',
    };
    const signingDate = new Date(Math.floor(Date.now() / SIGNED_WINDOW_MS) * SIGNED_WINDOW_MS);
    return this.#sign(input, { expiresIn: SIGNED_SECONDS, signingDate });
  }

  #sign(input: GetObjectCommandInput, options: { expiresIn: number; signingDate?: Date }): Promise<string> {
    return getSignedUrl(this.client, new GetObjectCommand(input), options).catch((error: unknown) => {
      throw s3Error(error, this, 'read');
    });
  }
}
