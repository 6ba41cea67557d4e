/** Signs in. Returns the value of the `Cookie` header. */
export async function signIn(address: string, credentials: { username: string; password: string }): Promise<string> {
  const response = await fetch(`${address}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  if (!response.ok) throw new Error(`Signing in failed: ${response.status} ${await response.text()}`);
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
