import type { PushTarget } from '#server/delivery/push/web-push.ts';
import type { TestDatabase } from '../test-database.ts';
import type { TestOwner } from './create-owner.ts';

/** Stores a browser's subscription, with a session of its own. Resolves with the ids of both. */
export async function createPushSubscription(
  database: TestDatabase,
  owner: Pick<TestOwner, 'id'>,
  { endpoint, p256dh, auth }: PushTarget,
  serverKey: string,
): Promise<{ readonly id: string; readonly session: string }> {
  const [created] = await database.query<{ id: string; session: string }>(
    `with session as (
       insert into auth.sessions (user_id, device) values ($1, 'Firefox on Linux') returning id, user_id, device
     )
     insert into public.push_subscriptions (user_id, session_id, device, endpoint, p256dh, auth, server_key)
       select user_id, id, device, $2, $3, $4, $5 from session
       returning id, session_id as session`,
    [owner.id, endpoint, p256dh, auth, serverKey],
  );
  if (created === undefined) throw new Error('The subscription was not made.');
  return created;
}
