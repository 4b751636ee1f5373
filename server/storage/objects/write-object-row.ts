import { randomUUID } from 'node:crypto';
import type { CallOptions } from '#server/postgres/caller.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import type { ObjectPath } from '../wire/object-path.ts';
import type { UserMetadata } from '../wire/user-metadata.ts';
import type { ObjectMetadata, Rendition } from './object-row.ts';

export interface NewObject {
  readonly path: ObjectPath;
  readonly version: string;
  readonly metadata: ObjectMetadata | null;
  readonly userMetadata: UserMetadata | null;
  readonly renditions: readonly Rendition[];
}

/**
 * Inserts the row of an object, or with `upsert` replaces the content of the existing one. Returns its id. Runs as the
 * caller, so a policy decides. The insert returns no columns, because a caller may be allowed to insert but not to
 * select.
 */
export async function writeObjectRow(
  transaction: Transaction,
  owner: string | null,
  { path, version, metadata, userMetadata, renditions }: NewObject,
  upsert: boolean,
): Promise<string> {
  const id = randomUUID();
  const values = [
    id,
    path.bucketId,
    path.name,
    owner,
    version,
    JSON.stringify(metadata),
    JSON.stringify(userMetadata),
    JSON.stringify(renditions),
  ];
  const insert = `insert into storage.objects
      (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata, renditions)
    values ($1, $2, $3, $4::uuid, $4, $5, nullif($6::jsonb, 'null'), nullif($7::jsonb, 'null'), $8)`;
  if (!upsert) {
    await transaction.query({ name: 'storage_insert_object', text: insert, values });
    return id;
  }
  const { rows } = await transaction.query<{ id: string }>({
    name: 'storage_upsert_object',
    text: `${insert}
      on conflict (bucket_id, name) do update set
        owner = excluded.owner, owner_id = excluded.owner_id, version = excluded.version, metadata = excluded.metadata,
        user_metadata = excluded.user_metadata, renditions = excluded.renditions
      returning id`,
    values,
  });
  return rows[0]?.id ?? id;
}

/**
 * Returns the options for a write transaction: a trigger enforces the account's quota, which it reads from this
 * setting.
 */
export function writeOptions(accountBytes: number): CallOptions {
  return { settings: { 'reunite.account_storage_bytes': String(accountBytes) } };
}
