import type { TestServer } from '#tests/support/test-server.ts';

export interface AuthResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire, looked at field by field
  readonly body: any;
}

/** Sends a plain request to the auth service, from a new network address unless the headers name one. */
export async function callAuth(
  server: Pick<TestServer, 'request' | 'secrets'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<AuthResponse> {
  const response = await server.request(`/auth/v1${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      apikey: server.secrets.publishableKey,
      'X-Supabase-Api-Version': '2024-01-01',
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

/** Returns the cookies that a response sets, as the browser sends them back. */
export function cookiesOf({ headers }: Pick<AuthResponse, 'headers'>): { readonly Cookie: string } {
  return {
    Cookie: headers
      .getSetCookie()
      .map((set) => set.split(';', 1)[0])
      .join('; '),
  };
}
