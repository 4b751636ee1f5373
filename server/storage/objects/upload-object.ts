import { randomUUID } from 'node:crypto';
import type { Caller } from '#server/postgres/caller.ts';
import { removeUnlessKept } from '../blobs/remove-unless-kept.ts';
import { describeContent, type StoredContent } from '../blobs/stored-content.ts';
import { readBucketRules } from '../buckets/bucket.ts';
import { storePicture } from '../pictures/store-picture.ts';
import { accountOf, type StorageContext } from '../storage-context.ts';
import { type ReceivedUpload, receiveUpload } from '../uploads/receive-upload.ts';
import type { ObjectPath } from '../wire/object-path.ts';
import { largestOf, requireAllowedType, takePicture } from './upload-rules.ts';
import { writeObjectRow, writeOptions } from './write-object-row.ts';

export interface UploadRequest {
  /** The caller whose permissions apply. */
  readonly caller: Caller;
  /** The owner of the new object; for a signed URL, the account that signed it. */
  readonly owner?: string | null;
  readonly path: ObjectPath;
  readonly upsert: boolean;
  readonly request: Request;
  /** The network address that it comes from. */
  readonly address: string;
}

/**
 * Stores an upload. Permission, limits, and a place in the spool are checked before any byte is read, then the content is written to the blob store,
 * then the row is written, which makes it an object. A crash in between leaves a blob without a row, which the sweep
 * removes.
 */
export async function uploadObject(
  context: StorageContext,
  { caller, owner = accountOf(caller), path, upsert, request, address }: UploadRequest,
): Promise<{ Id: string; Key: string }> {
  const rules = await readBucketRules(context.database, path.bucketId);
  await rehearse(context, caller, owner, path, upsert);
  await takePicture(context, rules, owner);
  const received = await receiveUpload(request, context.spool, {
    address,
    mostBytes: largestOf(rules, context.mostBytes),
    requireType: (contentType) => requireAllowedType(rules, contentType),
  });
  try {
    const content = await (rules.pictures
      ? storePicture(context, received, rules, owner)
      : storeAsItIs(context, received));
    const id = await writeRow(context, caller, owner, path, upsert, content, received);
    return { Id: id, Key: `${path.bucketId}/${path.name}` };
  } finally {
    await context.spool.drop(received.file);
  }
}

async function storeAsItIs(
  { blobs, now }: Pick<StorageContext, 'blobs' | 'now'>,
  { file, contentType, cacheControl }: ReceivedUpload,
): Promise<StoredContent> {
  const version = randomUUID();
  await blobs.put(version, file);
  return { version, renditions: [], metadata: describeContent(file, contentType, cacheControl, now()) };
}

async function writeRow(
  context: StorageContext,
  caller: Caller,
  owner: string | null,
  path: ObjectPath,
  upsert: boolean,
  { version, metadata, renditions }: StoredContent,
  { userMetadata }: ReceivedUpload,
): Promise<string> {
  try {
    return await context.database.transactAsCaller(
      caller,
      (transaction) =>
        writeObjectRow(transaction, owner, { path, version, metadata, userMetadata, renditions }, upsert),
      writeOptions(context.accountBytes),
    );
  } catch (error) {
    await removeUnlessKept(context, error, [version, ...renditions.map((rendition) => rendition.version)]);
    throw error;
  }
}

class Rehearsed extends Error {}

/**
 * Writes the row in a transaction that is rolled back. Throws where a policy, an existing name or the account's quota
 * refuses it.
 */
export async function rehearse(
  { database, accountBytes }: Pick<StorageContext, 'database' | 'accountBytes'>,
  caller: Caller,
  owner: string | null,
  path: ObjectPath,
  upsert: boolean,
): Promise<void> {
  const row = { path, version: randomUUID(), metadata: null, userMetadata: null, renditions: [] };
  try {
    await database.transactAsCaller(
      caller,
      async (transaction) => {
        await writeObjectRow(transaction, owner, row, upsert);
        throw new Rehearsed();
      },
      writeOptions(accountBytes),
    );
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  }
}
