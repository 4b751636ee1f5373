import { expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const server = await startTestServer(await createTestDatabase());

test.each(['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const)(
  'a call of an edge function by %s is refused with a status and a code that every page may read',
  async (method) => {
    const { error } = await server.client().functions.invoke('hello', { method });
    expect(error).toMatchObject({ name: 'FunctionsHttpError', context: { status: 404 } });
    const { context } = error as { context: Response };
    expect(await context.json()).toEqual({ code: 'NOT_FOUND', message: 'This server has no edge functions' });
    expect(context.headers.get('access-control-allow-origin')).toBe('*');
  },
);

test('a browser’s preflight request for an edge function is allowed', async () => {
  const response = await server.request('/functions/v1/hello', {
    method: 'OPTIONS',
    headers: { Origin: 'https://example.com', 'Access-Control-Request-Method': 'POST' },
  });
  expect([response.status, response.headers.get('access-control-allow-methods')]).toEqual([
    204,
    expect.stringContaining('POST'),
  ]);
});
