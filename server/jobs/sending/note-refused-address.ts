import type { Database } from '#server/postgres/database.ts';

/**
 * Stores whether emails reach an address, for the owners who have it: they read on their dashboard that none do. A new
 * address begins anew (`internal.follow_email_of_user`).
 */
export async function noteRefusedAddress(
  database: Pick<Database, 'asService'>,
  address: string,
  { isRefused }: { readonly isRefused: boolean },
): Promise<void> {
  await database.asService({
    name: 'note_refused_address',
    text: `update public.profiles set email_refused_at = case when $2 then now() end
      where id in (
          select id from auth.users where email = $1 and deleted_at is null
          union all select id from auth.users where claimed_email = $1
        )
        and email = $1 and (email_refused_at is not null) <> $2`,
    values: [address, isRefused],
  });
}
