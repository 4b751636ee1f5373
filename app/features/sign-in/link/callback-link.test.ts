import { expect, it } from 'vitest';
import { readCallbackLink } from './callback-link.ts';

it.each([
  ['a link to confirm', '', '#token_hash=abc&type=email', { kind: 'confirm', type: 'email', tokenHash: 'abc' }],
  ['a proof in the query, which servers log', '?token_hash=abc&type=email', '', { kind: 'nothing' }],
  ['a link for a new password, which has a page of its own', '', '#token_hash=abc&type=recovery', { kind: 'nothing' }],
  [
    'a session',
    '',
    '#access_token=a&expires_in=3600&refresh_token=r&sb=&token_type=bearer&type=magiclink',
    { kind: 'session', session: { accessToken: 'a', refreshToken: 'r', isRecovery: false } },
  ],
  [
    'a session to choose a new password in',
    '',
    '#access_token=a&refresh_token=r&type=recovery',
    { kind: 'session', session: { accessToken: 'a', refreshToken: 'r', isRecovery: true } },
  ],
  ['a session in the query, which servers log', '?access_token=a&refresh_token=r', '', { kind: 'nothing' }],
  ['a code to exchange', '?code=7f3c', '', { kind: 'exchange', code: '7f3c' }],
  ['a sticker’s code', '?code=tgt-0123456789abcdef', '', { kind: 'nothing' }],
  ['half of a changed address', '', '#message=Confirmation+link+accepted&sb=', { kind: 'confirmedHalf' }],
  ['a used link', '', '#error=access_denied&error_code=otp_expired', { kind: 'refused', why: 'expired' }],
  ['an error in the query', '?error=access_denied', '', { kind: 'refused', why: 'denied' }],
  ['an error beside a code', '?code=7f3c&error=server_error', '', { kind: 'refused', why: 'failed' }],
  [
    'an account that is not handed over',
    '?error=access_denied&error_code=user_already_exists',
    '',
    { kind: 'refused', why: 'accountExists' },
  ],
  [
    'an address that the other service does not vouch for',
    '?error=access_denied&error_code=provider_email_needs_verification',
    '',
    { kind: 'refused', why: 'addressUnproved' },
  ],
  [
    'no address at all',
    '?error=access_denied&error_code=email_address_not_provided',
    '',
    { kind: 'refused', why: 'addressMissing' },
  ],
  ['nothing at all', '', '', { kind: 'nothing' }],
])('reads %s', (_case, search, hash, link) => {
  expect(readCallbackLink({ search, hash })).toEqual(link);
});
