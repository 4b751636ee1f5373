import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const ITEMS = 3;
const MOST = 2 * ITEMS;
const database = await createTestDatabase();
const server = await startTestServer(database, { environment: { ITEMS_PER_ACCOUNT: String(ITEMS) } });

test('an account registers so many codes, also of many at once; its own can be registered again [K54]', async () => {
  const { client, user } = await registerOwner(server);
  const register = (code: string) =>
    client
      .rpc('register_qr_code', { qr_id_param: code, user_id_param: user.id })
      .then(({ error }) => error?.code ?? 'ok');
  const codes = Array.from({ length: MOST + 4 }, () => `tgt-${randomUUID()}`);
  const outcomes = await Promise.all(codes.map(register));
  expect(outcomes.toSorted()).toEqual([...Array(4).fill('PT413'), ...Array(MOST).fill('ok')]);
  const rows = await database.query<{ qr_id: string }>('select qr_id from public.qr_codes where owner_id = $1', [
    user.id,
  ]);
  expect(rows).toHaveLength(MOST);
  expect(await register(rows[0]?.qr_id ?? '')).toBe('ok');
});
