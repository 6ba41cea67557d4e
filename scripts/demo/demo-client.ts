type Headers = Record<string, string>;

/** Signs in and returns headers for further calls; null if the password has been changed. */
export async function signIn(address: string, credentials: object): Promise<Headers | null> {
  const login = await fetch(`${address}/api/login`, json('POST', credentials));
  if (!login.ok) return null;
  const cookies = login.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  return { cookie: cookies.join('; ') };
}

export async function post<T>(url: string, body: unknown, headers: Headers = {}): Promise<T> {
  const response = await fetch(url, json('POST', body, headers));
  if (!response.ok) throw new Error(`Could not prepare the demo: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

export async function get<T>(url: string, headers: Headers): Promise<T> {
  return (await (await fetch(url, { headers })).json()) as T;
}

const json = (method: string, body: unknown, headers: Headers = {}): RequestInit => ({
  method,
  headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});
