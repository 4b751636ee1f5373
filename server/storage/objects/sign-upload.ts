import type { Caller } from '#server/postgres/caller.ts';
import { accessDenied } from '../errors.ts';
import { accountOf, type StorageContext } from '../storage-context.ts';
import { encodeObjectPath, type ObjectPath } from '../wire/object-path.ts';
import { rehearse, type UploadRequest, uploadObject } from './upload-object.ts';

/** Two hours, as in Supabase's hosted service. */
const LIFE_SECONDS = 7_200;

/** Returns a URL for uploading one object without signing in. The caller must be allowed to upload it. */
export async function signUpload(
  context: StorageContext,
  caller: Caller,
  path: ObjectPath,
  upsert: boolean,
): Promise<{ url: string; token: string }> {
  const owner = accountOf(caller);
  await rehearse(context, caller, owner, path, upsert);
  const token = await context.addressTokens.sign(
    { url: `${path.bucketId}/${path.name}`, scope: 'upload', upsert, ...(owner !== null && { owner }) },
    LIFE_SECONDS,
  );
  return { url: `/object/upload/sign/${encodeObjectPath(path)}?token=${token}`, token };
}

/** Uploads an object with a signed URL. The token is the permission, and the account that signed owns the object. */
export async function uploadBySignedAddress(
  context: StorageContext,
  path: ObjectPath,
  token: string,
  { request, address }: Pick<UploadRequest, 'request' | 'address'>,
): Promise<{ Key: string }> {
  const { owner = null, upsert = false } = await context.addressTokens.verify(token, {
    url: `${path.bucketId}/${path.name}`,
    scope: 'upload',
  });
  if (owner !== null) await requireAccount(context, owner);
  // An object may have been created since the URL was signed. A policy decides again whether the signer may replace it.
  const role = upsert && owner !== null ? 'authenticated' : 'service_role';
  const caller: Caller = { role, claims: { role, ...(upsert && owner !== null && { sub: owner }) } };
  const { Key } = await uploadObject(context, { caller, owner, path, upsert, request, address });
  return { Key };
}

/** Throws AccessDenied where the account was deleted or banned since it signed the URL. */
async function requireAccount({ database, now }: StorageContext, userId: string): Promise<void> {
  const { rowCount } = await database.asService({
    name: 'storage_signing_account',
    text: `select from auth.users
             where id = $1 and deleted_at is null and (banned_until is null or banned_until <= $2)`,
    values: [userId, new Date(now())],
  });
  if (rowCount === 0) throw accessDenied();
}
