/** A socket of this machine by its path, or of any machine by host and port. */
export type SocketAddress = { path: string } | { host: string; port: number };

/** Reads `/path`, `host:port` or `[address]:port`; null for anything else. */
export function readSocketAddress(text: string): SocketAddress | null {
  if (text.startsWith('/')) return { path: text };
  const [, address, name, digits] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = address ?? name;
  const port = Number(digits);
  return host !== undefined && port > 0 && port < 65_536 ? { host, port } : null;
}
