import type { User } from '@supabase/supabase-js';
import { formatTable } from './print-table.ts';

const HEAD = ['ID', 'EMAIL', 'PHONE', 'NAME', 'CREATED', 'LAST SIGN-IN', 'STATE'];

/** A longer ban is shown as permanent, whatever its date. */
const LASTING_MS = 50 * 365 * 86_400_000;

/** Returns one line per account. */
export function describeAccounts(users: readonly User[], now: number): string {
  return formatTable(
    HEAD,
    users.map((user) => Object.values(detailsOf(user, now))),
  );
}

/** Returns one line per detail of an account. */
export function describeAccount(user: User, now: number): string {
  const { id, email, phone, name, created, lastSignIn, state } = detailsOf(user, now);
  return formatTable(
    ['ID', id],
    [
      ['EMAIL', `${email}${user.email && !user.email_confirmed_at ? ' (not proved)' : ''}`],
      ['PHONE', `${phone}${user.phone && !user.phone_confirmed_at ? ' (not proved)' : ''}`],
      ['NAME', name],
      ['STATE', state],
      ['CREATED', created],
      ['LAST SIGN-IN', lastSignIn],
      ['SIGNS IN BY', (user.identities ?? []).map(({ provider }) => provider).join(', ') || '–'],
      ['SECOND FACTORS', String((user.factors ?? []).filter(({ status }) => status === 'verified').length)],
    ],
  );
}

function detailsOf(user: User, now: number) {
  const name: unknown = user.user_metadata.full_name;
  return {
    id: user.id,
    email: user.email || '–',
    phone: user.phone ? `+${user.phone}` : '–',
    name: typeof name === 'string' && name !== '' ? name : '–',
    created: day(user.created_at),
    lastSignIn: day(user.last_sign_in_at),
    state: stateOf(user, now),
  };
}

function stateOf(user: User, now: number): string {
  if (user.deleted_at) return `deleted ${day(user.deleted_at)}`;
  // PostgreSQL's infinity is not a JavaScript date, and compares as NaN.
  const bannedForMs = user.banned_until ? Date.parse(user.banned_until) - now : 0;
  if (!(bannedForMs <= 0)) return bannedForMs < LASTING_MS ? `banned until ${day(user.banned_until)}` : 'banned';
  return user.confirmed_at || user.is_anonymous ? 'active' : 'unconfirmed';
}

/** In UTC, to the minute. */
function day(time: string | undefined): string {
  return time ? time.slice(0, 16).replace('T', ' ') : '–';
}
