import { expect, test } from 'vitest';
import { visitorClients } from './visitor-client.ts';

test('a loader calls this server as a visitor, with the connection of the page’s request', async () => {
  const asked: { request: Request; bindings: unknown }[] = [];
  const bindings = {};
  const clientFor = visitorClients({
    publicUrl: 'https://reunite.test',
    publishableKey: 'sb_publishable_test',
    fetch: async (request, given) => {
      asked.push({ request, bindings: given });
      return Response.json({ item_name: 'Keys' });
    },
  });
  const { data, error } = await clientFor(bindings).rpc('find_item', { qr_id_param: 'tgt-abc' });
  expect(error).toBeNull();
  expect(data).toEqual({ item_name: 'Keys' });
  expect(asked).toHaveLength(1);
  const { request } = asked[0] ?? {};
  expect(request?.url).toBe('https://reunite.test/rest/v1/rpc/find_item');
  expect(request?.headers.get('apikey')).toBe('sb_publishable_test');
  // The very object: limits count by the address of its socket.
  expect(asked[0]?.bindings).toBe(bindings);
});
