import type { TestDatabase } from '#tests/support/test-database.ts';

/** Makes an account one that has been there for two months. */
export async function makeAccountOld(database: Pick<TestDatabase, 'query'>, userId: string): Promise<void> {
  await database.query(
    `with events as (update auth.audit_log set at = at - interval '60 days' where user_id = $1)
     update auth.users set created_at = created_at - interval '60 days',
       phone_confirmed_at = phone_confirmed_at - interval '60 days',
       email_confirmed_at = email_confirmed_at - interval '60 days' where id = $1`,
    [userId],
  );
}
