import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { assertProperty } from '#tests/support/long-runs.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const web = await startTestServer(await createTestDatabase());

const segment = fc.oneof(
  fc.constantFrom(
    'item',
    'auth',
    'qr',
    'tgt-',
    'tgt-abc',
    'new-item',
    '..',
    '.',
    '',
    'assets',
    'callback',
    '%2f',
    '%5c',
  ),
  fc.constantFrom('evil.example', '@evil.example', '%0d%0a', '%00', '%E2%80%AE', '%', '%zz', 'contact', 'message'),
  fc.string({ maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())),
);
const query = fc.oneof(
  fc.constant(''),
  fc
    .tuple(fc.constantFrom('code', 'qr', 'qr_id', 'mode', 'sent', '_routes'), segment)
    .map(([name, value]) => `?${name}=${value}`),
);

test('any URL gets a response of ours: no failure, and no way to another site [G50]', async () => {
  const complaint = vi.spyOn(console, 'warn');
  await assertProperty(
    fc.asyncProperty(
      fc.array(segment, { maxLength: 5 }),
      query,
      fc.constantFrom('GET', 'HEAD', 'POST'),
      fc.boolean(),
      async (segments, search, method, signedIn) => {
        const response = await web.request(`/${segments.join('/')}${search}`, {
          method,
          headers: signedIn ? { Cookie: 'reunite_signed_in=1' } : {},
        });
        expect(response.status).toBeLessThan(500);
        expect(response.headers.get('location') ?? '/').toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
        await response.arrayBuffer();
      },
    ),
    { short: 200, long: 4_000 },
  );
  expect(complaint).not.toHaveBeenCalled();
});
