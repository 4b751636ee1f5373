import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Caller } from '#server/postgres/caller.ts';
import { removeUnlessKept } from '../blobs/remove-unless-kept.ts';
import { readBucketRules } from '../buckets/bucket.ts';
import { fileMissing } from '../errors.ts';
import { accountOf, type StorageContext } from '../storage-context.ts';
import { readCacheControl, requireMediaType } from '../uploads/receive-upload.ts';
import { flag } from '../wire/flag.ts';
import { type ObjectPath, requireBucketId, requireObjectName } from '../wire/object-path.ts';
import { readJson } from '../wire/read-json.ts';
import { type UserMetadata, userMetadataOf } from '../wire/user-metadata.ts';
import { findObjectAs } from './find-object.ts';
import { relocationFields } from './move-object.ts';
import { OBJECT_COLUMNS, type ObjectMetadata } from './object-row.ts';
import { rehearse } from './upload-object.ts';
import { requireAllowedType, requireCompatible, takePicture } from './upload-rules.ts';
import { writeObjectRow, writeOptions } from './write-object-row.ts';

/** What the copy has in place of the source's. */
const changesSchema = v.object({ mimetype: v.optional(v.string()), cacheControl: v.optional(v.string()) });

const bodySchema = v.object({
  ...relocationFields,
  copyMetadata: v.optional(flag, true),
  metadata: v.nullish(changesSchema),
});

/**
 * Creates a second object with copies of all files. With `copyMetadata` switched off, its type and caching may differ from
 * the source's, and it has the caller's metadata of this request only.
 */
export async function copyObject(
  context: StorageContext,
  caller: Caller,
  upsert: boolean,
  request: Request,
): Promise<Readonly<Record<string, unknown>>> {
  const { database, blobs } = context;
  const body = await readJson(request, bodySchema);
  const source = { bucketId: requireBucketId(body.bucketId), name: requireObjectName(body.sourceKey) };
  const path: ObjectPath = {
    bucketId: requireBucketId(body.destinationBucket ?? source.bucketId),
    name: requireObjectName(body.destinationKey),
  };
  const userMetadata = userMetadataOf(request.headers);
  const changed = body.copyMetadata ? {} : readChanged(body.metadata ?? {});
  const owner = accountOf(caller);
  await requireCompatible(context, caller, source, path.bucketId);
  await rehearse(context, caller, owner, path, upsert);
  const rules = await readBucketRules(database, path.bucketId);
  if (changed.mimetype !== undefined) requireAllowedType(rules, changed.mimetype);
  await takePicture(context, rules, owner);

  const { version: from, metadata, renditions, user_metadata } = await findObjectAs(caller)(database, source);
  const copied: string[] = [];
  const copy = async (key: string): Promise<string> => {
    const to = randomUUID();
    if (!(await blobs.copy(key, to))) throw fileMissing();
    copied.push(to);
    return to;
  };
  let id: string;
  try {
    const row = {
      path,
      version: await copy(from),
      metadata: metadata && { ...metadata, ...changed },
      // It was validated as a JSON object when it was stored.
      userMetadata: body.copyMetadata ? (user_metadata as UserMetadata | null) : userMetadata,
      renditions: await Promise.all(renditions.map(async (one) => ({ ...one, version: await copy(one.version) }))),
    };
    id = await database.transactAsCaller(
      caller,
      (transaction) => writeObjectRow(transaction, owner, row, upsert),
      writeOptions(context.accountBytes),
    );
  } catch (error) {
    await removeUnlessKept(context, error, copied);
    throw error;
  }
  const { rows } = await database.asCaller(caller, {
    name: 'storage_copied_object',
    text: `select ${OBJECT_COLUMNS} from storage.objects where id = $1`,
    values: [id],
  });
  return { ...rows[0], Id: id, Key: `${path.bucketId}/${path.name}` };
}

function readChanged({
  mimetype,
  cacheControl,
}: v.InferOutput<typeof changesSchema>): Partial<Pick<ObjectMetadata, 'mimetype' | 'cacheControl'>> {
  if (mimetype !== undefined) requireMediaType(mimetype);
  return {
    ...(mimetype !== undefined && { mimetype }),
    ...(cacheControl !== undefined && { cacheControl: readCacheControl(cacheControl) }),
  };
}
