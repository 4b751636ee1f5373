import * as v from 'valibot';
import type { Caller } from '#server/postgres/caller.ts';
import { asPostgresError } from '#server/postgres/sqlstate.ts';
import { alreadyExists, choiceNotOffered } from '../errors.ts';
import { accountOf, type StorageContext } from '../storage-context.ts';
import { requireBucketId } from '../wire/object-path.ts';
import { readJson } from '../wire/read-json.ts';
import { bucketSettings, readFileSize } from './bucket.ts';

const bodySchema = v.object({
  id: v.optional(v.string()),
  name: v.string(),
  type: v.optional(v.string()),
  ...bucketSettings,
});

/** Throws AccessDenied where no policy allows it. By default only the service may create buckets. */
export async function createBucket(
  { database }: StorageContext,
  caller: Caller,
  request: Request,
): Promise<{ name: string }> {
  const body = await readJson(request, bodySchema);
  if ((body.type ?? 'STANDARD') !== 'STANDARD') throw choiceNotOffered('A bucket of this type');
  if ((body.versioning_status ?? 'DISABLED').toUpperCase() !== 'DISABLED') throw choiceNotOffered('Versioning');
  const name = requireBucketId(body.name);
  const id = requireBucketId(body.id ?? name);
  const owner = accountOf(caller);
  try {
    await database.asCaller(caller, {
      name: 'storage_create_bucket',
      text: `insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
               values ($1, $2, $3::uuid, $3, $4, $5, $6)`,
      values: [
        id,
        name,
        owner,
        body.public ?? false,
        readFileSize(body.file_size_limit ?? null),
        body.allowed_mime_types ?? null,
      ],
    });
  } catch (error) {
    if (asPostgresError(error)?.code === '23505') throw alreadyExists('BucketAlreadyExists', error);
    throw error;
  }
  return { name };
}
