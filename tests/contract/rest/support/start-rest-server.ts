import type { SupabaseClient } from '@supabase/supabase-js';
import type { Caller } from '#server/postgres/caller.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';

interface RestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null where there is none, or where it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire, looked at field by field
  readonly body: any;
}

interface CallInit {
  readonly method?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
  /** Whose access token the call carries; without one it is a visitor's. */
  readonly as?: Caller;
  readonly address?: string;
}

export interface RestServer extends Pick<TestServer, 'url' | 'logged'> {
  readonly secretKey: string;
  /** The official client as a visitor or with an access token, from its own network address. */
  client(caller?: Caller, address?: string): Promise<SupabaseClient>;
  /** The official client with the secret key. */
  service(): SupabaseClient;
  /** A bare call of `/rest/v1…`. */
  call(path: string, init?: CallInit): Promise<RestResponse>;
  token(caller: Caller, lifeSeconds?: number): Promise<string>;
}

/** The whole service, and short ways to call its data service. */
export async function startRestServer(
  database: Pick<TestDatabase, 'address'>,
  { environment = {} }: { environment?: Record<string, string> } = {},
): Promise<RestServer> {
  const server = await startTestServer(database, { environment });
  const { publishableKey, secretKey } = server.secrets;
  const token = ({ claims }: Caller, lifeSeconds?: number) => server.token(claims, lifeSeconds);

  return {
    url: server.url,
    logged: server.logged,
    secretKey,
    token,
    client: async (caller, address) =>
      server.client({
        ...(address !== undefined && { address }),
        ...(caller !== undefined && { token: await token(caller) }),
      }),
    service: () => server.client({ key: secretKey }),
    async call(path, { method = 'GET', body, headers = {}, as, address } = {}) {
      const response = await server.request(`/rest/v1${path}`, {
        method,
        ...(address !== undefined && { address }),
        headers: {
          apikey: publishableKey,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(as !== undefined && { Authorization: `Bearer ${await token(as)}` }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      const isJson = /^[^;]*json/.test(response.headers.get('content-type') ?? '') && text !== '';
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
    },
  };
}
