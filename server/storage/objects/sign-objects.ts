import * as v from 'valibot';
import { boundedArray } from '#server/http/bounded-array.ts';
import type { Caller } from '#server/postgres/caller.ts';
import { readTransform } from '../pictures/transform.ts';
import type { StorageContext } from '../storage-context.ts';
import { encodeObjectPath, type ObjectPath, requireObjectName } from '../wire/object-path.ts';
import { readJson } from '../wire/read-json.ts';
import { wholeNumber } from '../wire/whole-number.ts';
import { findObjectAs } from './find-object.ts';

/** A year: the longest life of a signed URL. */
const LONGEST_SECONDS = 31_536_000;
const lifeSeconds = wholeNumber(1, LONGEST_SECONDS);

const oneSchema = v.object({ expiresIn: lifeSeconds, transform: v.optional(v.record(v.string(), v.unknown())) });
const manySchema = v.object({ expiresIn: lifeSeconds, paths: boundedArray(v.string(), { most: 500 }) });

/**
 * Returns a URL that gives its holder access to the object until it expires. The caller must be able to see the object.
 */
export async function signObject(
  { database, addressTokens }: StorageContext,
  caller: Caller,
  path: ObjectPath,
  request: Request,
): Promise<{ signedURL: string }> {
  const { expiresIn, transform } = await readJson(request, oneSchema);
  const wanted = transform === undefined ? null : readTransform(transform);
  const { id } = await findObjectAs(caller)(database, path);
  const token = await addressTokens.sign(
    {
      url: `${path.bucketId}/${path.name}`,
      scope: 'download',
      object: id,
      ...(wanted !== null && { transform: wanted }),
    },
    expiresIn,
  );
  const route = wanted === null ? '/object/sign' : '/render/image/sign';
  return { signedURL: addressOf(route, path, token) };
}

interface SignedPath {
  readonly error: string | null;
  readonly path: string;
  readonly signedURL: string | null;
}

const NOT_THERE = 'Either the object does not exist or you do not have access to it';

/** The same for several objects of one bucket, in the requested order. */
export async function signObjects(
  { database, addressTokens }: StorageContext,
  caller: Caller,
  bucketId: string,
  request: Request,
): Promise<SignedPath[]> {
  const { expiresIn, paths } = await readJson(request, manySchema);
  const { rows } = await database.asCaller<{ id: string; name: string }>(caller, {
    name: 'storage_find_objects',
    text: 'select id, name from storage.objects where bucket_id = $1 and name = any ($2)',
    values: [bucketId, paths.filter(isName)],
  });
  const seen = new Map(rows.map(({ id, name }) => [name, id]));
  return Promise.all(
    paths.map(async (name) => {
      const object = seen.get(name);
      if (object === undefined) return { error: NOT_THERE, path: name, signedURL: null };
      const token = await addressTokens.sign({ url: `${bucketId}/${name}`, scope: 'download', object }, expiresIn);
      return { error: null, path: name, signedURL: addressOf('/object/sign', { bucketId, name }, token) };
    }),
  );
}

// The client percent-encodes the whole URL again, so only characters that it would leave unchanged are encoded here.
function addressOf(route: string, { bucketId, name }: ObjectPath, token: string): string {
  return `${route}/${decodeURI(encodeObjectPath({ bucketId, name }))}?token=${token}`;
}

function isName(name: string): boolean {
  try {
    return requireObjectName(name) === name;
  } catch {
    return false;
  }
}
