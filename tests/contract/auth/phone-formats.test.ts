import { expect, test } from 'vitest';
import { aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const server = await startTestServer(await createTestDatabase());
const operator = server.client({ key: server.secrets.secretKey }).auth.admin;

/** As Supabase Auth takes a number: with or without its plus, with spaces. */
const FORMS: readonly (readonly [name: string, write: (digits: string) => string])[] = [
  ['its digits', (digits) => digits],
  ['a plus', (digits) => `+${digits}`],
  ['a plus and spaces', (digits) => `+${digits.slice(0, 2)} ${digits.slice(2, 5)} ${digits.slice(5)}`],
];

test.each(FORMS)('a number written with %s is returned and stored as its digits', async (_name, write) => {
  const digits = aPhone().slice(1);
  const password = 'correct horse';
  const made = await operator.createUser({ phone: write(digits), password, phone_confirm: true });
  expect(made.data.user?.phone).toBe(digits);
  const { data } = await server.client().auth.signInWithPassword({ phone: write(digits), password });
  expect(data.user).toMatchObject({ phone: digits, identities: [{ identity_data: { phone: digits } }] });

  const other = aPhone().slice(1);
  const changed = await operator.updateUserById(data.user?.id ?? '', { phone: write(other) });
  expect(changed.data.user?.phone).toBe(other);
  expect((await operator.getUserById(data.user?.id ?? '')).data.user?.phone).toBe(other);
});

test('a number that waits for its code is its digits too', async () => {
  const { client } = await registerOwner(server);
  const digits = aPhone().slice(1);
  const { data, error } = await client.auth.updateUser({ phone: `+${digits}` });
  expect([error?.code, data.user?.new_phone]).toEqual([undefined, digits]);
});

test.each(['123', '+0123456789', '+1234567890123456', 'call me', '+1202555010a'])('%s is no number', async (phone) => {
  expect((await operator.createUser({ phone, password: 'correct horse' })).error).toMatchObject({
    status: 400,
    code: 'validation_failed',
    message: 'Invalid phone number format (E.164 required)',
  });
  const { status, body } = await callAuth(server, 'POST', '/otp', { phone });
  expect([status, body.code]).toEqual([400, 'validation_failed']);
});
