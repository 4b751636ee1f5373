import { randomUUID } from 'node:crypto';
import { TURN_OF_SERVICE } from '#server/auth/accounts/passwords.ts';
import type { Caller } from '#server/postgres/caller.ts';
import { quickPasswords } from '../quick-passwords.ts';
import type { TestDatabase } from '../test-database.ts';
import { aPhone } from './contact-details.ts';

export interface OwnerDetails {
  readonly fullName?: string;
  readonly email?: string;
  /** E.164 with the plus, as the owner typed it at registration: shown to finders' channels, and not yet proved. */
  readonly phone?: string;
  /** Without one, password sign-in is impossible and no time is spent on hashing. */
  readonly password?: string;
}

export interface TestOwner {
  readonly id: string;
  readonly fullName: string;
  readonly email: string;
  readonly phone: string;
  readonly password: string | undefined;
  /** The account's one session, whose proof is recent. */
  readonly sessionId: string;
  /** What the access token of that session makes of a call. */
  readonly caller: Caller;
}

/** Creates an account with a confirmed email address, a profile, and a session. Details that are not given are unique. */
export async function createOwner(database: TestDatabase, details: OwnerDetails = {}): Promise<TestOwner> {
  const id = randomUUID();
  const sessionId = randomUUID();
  const {
    fullName = `Olive Owner-${id.slice(0, 8)}`,
    email = `owner-${id}@example.com`,
    phone = aPhone(),
    password,
  } = details;
  const passwordHash = password === undefined ? null : await quickPasswords.hash(password, TURN_OF_SERVICE);
  const metadata = { full_name: fullName, phone, email, email_verified: true, phone_verified: false, sub: id };
  await database.query(
    `with account as (
       insert into auth.users (id, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
         values ($1, $2, $3, now(), '{"provider": "email", "providers": ["email"]}', $4)
         returning id
     ), session as (
       insert into auth.sessions (id, user_id) select $5, id from account
     )
     insert into auth.identities (user_id, provider, provider_id, identity_data)
       select id, 'email', id::text, $4 from account`,
    [id, email, passwordHash, metadata, sessionId],
  );
  const caller: Caller = {
    role: 'authenticated',
    claims: { sub: id, role: 'authenticated', aud: 'authenticated', email, session_id: sessionId },
  };
  return { id, fullName, email, phone, password, sessionId, caller };
}
