import type { TestServer } from '#tests/support/test-server.ts';

export interface FormOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

/** A form as a browser posts it from a page of ours. */
export function postForm(
  server: Pick<TestServer, 'request' | 'url'>,
  path: string,
  fields: Readonly<Record<string, string>>,
  { headers = {}, ...options }: FormOptions = {},
): Promise<Response> {
  return server.request(path, {
    ...options,
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'Sec-Fetch-Site': 'same-origin', Origin: server.url, ...headers },
  });
}
