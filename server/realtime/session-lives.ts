import { isUuid } from '#server/is-uuid.ts';
import type { Database } from '#server/postgres/database.ts';

/** Whether a session of an access token still stands, and its account may use it. */
export async function sessionLives(database: Database, sessionId: string): Promise<boolean> {
  if (!isUuid(sessionId)) return false;
  const { rows } = await database.asService<{ lives: boolean }>({
    name: 'realtime_session_lives',
    text: `select exists (
        select from auth.sessions as session
          join auth.users as account on account.id = session.user_id
          where session.id = $1
            and (session.not_after is null or session.not_after > now())
            and account.deleted_at is null
            and (account.banned_until is null or account.banned_until <= now())
      ) as lives`,
    values: [sessionId],
  });
  return rows[0]?.lives === true;
}
