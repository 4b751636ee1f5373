import type { Caller } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import { noSuchBucket, noSuchKey } from '../errors.ts';
import type { StorageError } from '../storage-error.ts';
import type { ObjectPath } from '../wire/object-path.ts';
import type { StoredObject } from './object-row.ts';

export interface DescribedObject extends StoredObject {
  readonly id: string;
  readonly bucket_id: string;
  readonly user_metadata: unknown;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS =
  'object.id, object.name, object.bucket_id, version, metadata, renditions, user_metadata, object.created_at, object.updated_at';

type ReadObject = (database: Database, path: ObjectPath) => Promise<DescribedObject>;

/** Returns a function that reads an object as the caller, under row-level security. It throws NoSuchKey. */
export function findObjectAs(caller: Caller): ReadObject {
  return async (database, path) => onlyOne(await readRows(database, caller, path));
}

/**
 * Returns a function that reads an object as the caller, or as anybody where its bucket is public. It throws NoSuchKey,
 * and NoSuchBucket where there is no such bucket. Without a caller, private buckets do not exist.
 *
 * Pictures are public by their public URLs alone; here their owners read them.
 */
export function findReadableObject(caller: Caller | null): ReadObject {
  return async (database, path) => {
    const [own] = caller === null ? [] : await readRows(database, caller, path);
    return own ?? readPublicObject(database, path, { ofPictures: false, ifPrivate: caller ? noSuchKey : noSuchBucket });
  };
}

async function readRows(database: Database, caller: Caller, { bucketId, name }: ObjectPath) {
  const { rows } = await database.asCaller<DescribedObject>(caller, {
    name: 'storage_find_object',
    text: `select ${COLUMNS} from storage.objects as object where bucket_id = $1 and name = $2`,
    values: [bucketId, name],
  });
  return rows;
}

/** A constant date in place of the upload time. */
const NO_MOMENT = new Date(0);

/** Returns an object of a public bucket to any caller. Throws NoSuchBucket for other buckets. */
export const findPublicObject: ReadObject = (database, path) =>
  readPublicObject(database, path, { ofPictures: true, ifPrivate: noSuchBucket });

/**
 * Pictures come without the upload time and the client's metadata: these could reveal that two pictures belong to one
 * owner.
 */
async function readPublicObject(
  database: Database,
  { bucketId, name }: ObjectPath,
  { ofPictures, ifPrivate }: { readonly ofPictures: boolean; readonly ifPrivate: () => StorageError },
): Promise<DescribedObject> {
  type Row = DescribedObject & { readonly found: boolean; readonly pictures: boolean; readonly public: boolean };
  const { rows } = await database.asService<Row>({
    name: 'storage_find_public_object',
    text: `select object.id is not null as found, bucket.pictures, bucket.public, ${COLUMNS}
             from storage.buckets as bucket
             left join storage.objects as object
               on bucket.public and object.bucket_id = bucket.id and object.name = $2
             where bucket.id = $1`,
    values: [bucketId, name],
  });
  const [object] = rows;
  if (object === undefined) throw noSuchBucket();
  if (!object.public || (object.pictures && !ofPictures)) throw ifPrivate();
  const found = onlyOne(object.found ? [object] : []);
  return object.pictures ? withoutTraces(found) : found;
}

/** Returns the object of a signed URL, whose token was the permission. Throws NoSuchKey. */
export const findSignedObject: ReadObject = async (database, { bucketId, name }) => {
  const { rows } = await database.asService<DescribedObject>({
    name: 'storage_find_signed_object',
    text: `select ${COLUMNS} from storage.objects as object where bucket_id = $1 and name = $2`,
    values: [bucketId, name],
  });
  return onlyOne(rows);
};

function withoutTraces(object: DescribedObject): DescribedObject {
  return {
    ...object,
    user_metadata: null,
    created_at: NO_MOMENT,
    updated_at: NO_MOMENT,
    metadata: object.metadata && { ...object.metadata, lastModified: NO_MOMENT.toISOString() },
  };
}

function onlyOne(rows: readonly DescribedObject[]): DescribedObject {
  const [object] = rows;
  if (object === undefined) throw noSuchKey();
  return object;
}
