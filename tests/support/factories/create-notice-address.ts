import type { TestDatabase } from '../test-database.ts';
import type { TestOwner } from './create-owner.ts';

interface NewNoticeAddress {
  readonly kind: 'webhook' | 'ntfy';
  readonly url: string;
  readonly token?: string;
  readonly showsText?: boolean;
}

/** Stores a webhook or an ntfy topic of an owner; resolves with its id. */
export async function createNoticeAddress(
  database: TestDatabase,
  owner: Pick<TestOwner, 'id'>,
  { kind, url, token, showsText = false }: NewNoticeAddress,
): Promise<string> {
  const [created] = await database.query<{ id: string }>(
    `insert into public.notice_addresses (user_id, kind, name, url, token, shows_text)
       values ($1, $2, 'Home', $3, $4, $5) returning id`,
    [owner.id, kind, url, token ?? null, showsText],
  );
  if (created === undefined) throw new Error('The address was not made.');
  return created.id;
}
