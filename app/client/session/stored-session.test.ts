import { afterEach, expect, test, vi } from 'vitest';
import { readStoredSession } from './stored-session.ts';

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const session = (change: object = {}) => ({
  access_token: 'a token',
  refresh_token: 'another',
  expires_at: inSeconds(600),
  user: { id: 'an owner', email: 'owner@example.com' },
  ...change,
});

function read(stored: string | null) {
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'reunite_supabase_auth' ? stored : null) });
  return readStoredSession('reunite_supabase_auth');
}

afterEach(() => vi.unstubAllGlobals());

test('a session that is valid for a while is returned as it is stored', () => {
  const stored = session();
  expect(read(JSON.stringify(stored))).toMatchObject(stored);
  expect(read(null)).toBeNull();
});

test.each([
  ['has ended', session({ expires_at: inSeconds(-10) })],
  ['is about to end', session({ expires_at: inSeconds(80) })],
  ['may owe its second factor', session({ user: { id: 'an owner', factors: [{ status: 'verified' }] } })],
  ['has no user', session({ user: null })],
])('auth-js decides about a session that %s', (_what, stored) => {
  expect(read(JSON.stringify(stored))).toBe('unclear');
});

test('auth-js decides about what is no session', () => {
  expect(read('{"access_token":')).toBe('unclear');
});
