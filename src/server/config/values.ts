import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { VIDEO_PLACEHOLDERS } from '#server/ports/video-host.ts';

export const trimmed = z.string().trim();
/** Texts separated by commas. */
const list = z.string().transform((text) => text.split(',').flatMap((item) => item.trim() || []));
export const port = z.coerce
  .number('must be a port number')
  .int('must be a port number')
  .min(0, 'must be a port number from 0 to 65535')
  .max(65_535, 'must be a port number from 0 to 65535');
export const count = (max: number) => {
  const error = `must be a whole number from 1 to ${max}`;
  return z.coerce.number(error).int(error).min(1, error).max(max, error);
};
export const seconds = (max: number) => {
  const error = `must be a number of seconds from 0 to ${max}`;
  return z.coerce.number(error).min(0, error).max(max, error);
};
export const byteCount = (byDefault: number) =>
  z.coerce
    .number('must be a number of bytes')
    .int('must be a whole number of bytes')
    .positive('must be a positive number of bytes')
    .default(byDefault);
export const url = trimmed.refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  error: 'must be a URL that starts with http:// or https://',
});
/** A file that this process may execute. */
export const program = trimmed.refine(isProgram, {
  error: 'must be the absolute path of a program that this account may run, such as /usr/bin/ffmpeg',
});
export const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
  // With a socket, the host between the account and the path is empty.
  .refine((text) => URL.canParse(text.replace('@/', '@socket/')), {
    error:
      'must be an address such as postgres://NAME:PASSWORD@HOST:5432/DATABASE, with special characters of the password percent-encoded',
  })
  .superRefine((text, context) => {
    const unreadable = CERTIFICATE_FILES.flatMap((name) => unreadableFile(text, name) ?? []);
    for (const message of unreadable) context.addIssue({ code: 'custom', message });
  })
  .transform(withExplicitSslMode);
/** The URL of a proxy, without a path. */
export const proxyUrl = trimmed.refine(
  (text) => {
    const { protocol = '', pathname, search, username = '', password = '' } = URL.parse(text) ?? {};
    return /^https?:$/.test(protocol) && pathname === '/' && search === '' && isEncoded(username + password);
  },
  {
    error:
      'must be an address such as http://proxy.example.com:3128 or http://NAME:PASSWORD@HOST:PORT, with special characters of the password percent-encoded',
  },
);
/** The URL of a mail server, without a path. */
export const smtpUrl = trimmed.refine(
  (text) => {
    const { protocol = '', hostname, pathname = '', search, username = '', password = '' } = URL.parse(text) ?? {};
    const isBare = /^\/?$/.test(pathname) && search === '';
    return /^smtps?:$/.test(protocol) && Boolean(hostname) && isBare && isEncoded(username + password);
  },
  {
    error:
      'must be an address such as smtp://NAME:PASSWORD@mail.example.com:587 or smtps://…, with special characters of the password percent-encoded',
  },
);
/** The sender of mails. */
export const sender = trimmed.regex(
  /^(?:[^\p{C}<>@",]+ <[^\s\p{C}<>@",]+@[^\s\p{C}<>@",]+>|[^\s\p{C}<>@",]+@[^\s\p{C}<>@",]+)$/u,
  {
    error: 'must be an e-mail address, such as interviews@example.com or Example Staffing <interviews@example.com>',
  },
);
export const baseUrl = url.transform(withoutTrailingSlashes);
/** `files.example.com`, `*.example.com`, `192.0.2.1` or `[2001:db8::1]`, with an optional port. */
const isFileHost = (text: string): boolean =>
  /^((\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(text);
/** A name, an IP address, or a range such as 10.1.0.0/16. */
const isHost = (text: string): boolean => {
  const [address = '', prefix, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0) return prefix === undefined && /^[a-z0-9.-]+$/i.test(text) && !/^[\d.]+$/.test(text);
  return (
    more.length === 0 && (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)))
  );
};
export const hosts = list.refine((items) => items.every(isHost), {
  error: 'must be names, IP addresses or ranges such as 10.1.0.0/16, separated by commas',
});
export const fileHosts = list.refine((items) => items.length > 0 && items.every(isFileHost), {
  error:
    'must be names, *.names or IP addresses, each with an optional port (files.example.com:8443), separated by commas',
});
export const publicUrls = z
  .string()
  .transform((text) => text.split(',').map((item) => URL.parse(item.trim())))
  .refine((urls) => urls.every((each) => /^https?:$/.test(each?.protocol ?? '')), {
    error: 'must be addresses such as https://interviews.example.com, separated by commas',
  })
  .transform((urls) => urls.filter((each) => each !== null));
export const socket = z
  .string()
  .transform((text) => readSocketAddress(text.trim()))
  .refine((address) => address !== null, {
    error: 'must be HOST:PORT, [ADDRESS]:PORT, or the path of a socket such as /run/clamav/clamd.ctl',
  });
/** Read as a URI, which `security.txt` requires. */
export const contact = trimmed
  .transform((text) => (text.includes(':') ? text : `mailto:${text}`))
  .refine((uri) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*)$/.test(uri) && URL.canParse(uri), {
    error: 'must be an e-mail address, or the address of a page that starts with https://',
  });
/** A path that ends with a slash. */
export const prefix = trimmed
  .regex(
    /^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/,
    'must be a path of letters, digits, dots, hyphens and underscores, such as interviews/',
  )
  .transform((text) => (text.endsWith('/') ? text : `${text}/`));
/** Some of `names`, separated by commas, each once and in the order of `names`. */
export const someOf = <Item extends string>(names: readonly [Item, ...Item[]]) =>
  list
    .refine((items) => items.length > 0 && items.every((item) => names.some((name) => name === item)), {
      error: `must be one or more of ${names.join(', ')}, separated by commas`,
    })
    .transform((items) => names.filter((name) => items.includes(name)));
export const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((text) => text === 'true' || text === '1');
export const videoText = z.string().refine((text) => usesOnly(VIDEO_PLACEHOLDERS, text), {
  error: `must contain no placeholders other than ${VIDEO_PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}`,
});
export const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Paths are appended to it. Linear, unlike a regular expression on many slashes. */
function withoutTrailingSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

const usesOnly = (names: readonly string[], template: string): boolean =>
  [...template.matchAll(/\{(\w*)\}/g)].every(([, name = '']) => names.includes(name));

/** Files that a database URL may name. */
const CERTIFICATE_FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const;

function unreadableFile(url: string, name: string): string | null {
  const path = URL.parse(url.replace('@/', '@socket/'))?.searchParams.get(name);
  if (!path) return null;
  try {
    readFileSync(path);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `contains ${name}=${path}, which cannot be read (${code}). Set it to the path of a readable PEM file`;
  }
}

/**
 * In these modes, pg verifies the certificate and warns that its next major version will not. The
 * explicit mode keeps it so. With `uselibpqcompat` the administrator has decided.
 */
function withExplicitSslMode(url: string): string {
  if (/[?&]uselibpqcompat=true(&|$)/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** A socket path on this machine, or a host and port. */
type SocketAddress = { path: string } | { host: string; port: number };

/** Reads `/path`, `host:port` or `[address]:port`; null for anything else. */
function readSocketAddress(text: string): SocketAddress | null {
  if (text.startsWith('/')) return { path: text };
  const [, address, name, digits] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = address ?? name;
  const port = Number(digits);
  return host !== undefined && port > 0 && port < 65_536 ? { host, port } : null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isAbsolute(path) && statSync(path).isFile();
  } catch {
    return false;
  }
}
