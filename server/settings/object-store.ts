import * as v from 'valibot';
import type { S3Account, S3Settings } from '#server/storage/blobs/s3-bucket.ts';
import { text, webOrigin } from './values.ts';

/** The variables of an S3-compatible object store. Without the bucket it keeps backups alone. */
export const objectStoreVariables = {
  S3_ENDPOINT: v.optional(webOrigin),
  S3_REGION: v.optional(text, 'us-east-1'),
  S3_BUCKET: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')),
  ),
  S3_ACCESS_KEY_ID: v.optional(text),
  S3_SECRET_ACCESS_KEY: v.optional(text),
};

type ObjectStoreEnvironment = v.InferOutput<v.ObjectSchema<typeof objectStoreVariables, undefined>>;

const REQUIRED = ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

/** `keepsBackups` where backups are in the object store, so that it needs no bucket for files. */
export function objectStoreProblems(
  env: ObjectStoreEnvironment,
  { keepsBackups }: { readonly keepsBackups: boolean },
): string[] {
  const required = keepsBackups ? REQUIRED : ([...REQUIRED, 'S3_BUCKET'] as const);
  const missing = required.filter((name) => env[name] === undefined);
  const isUsed = keepsBackups || env.S3_BUCKET !== undefined || missing.length < required.length;
  if (!isUsed) return [];
  return missing.map((name) => `${name} is missing: an object store needs all of ${required.join(', ')}.`);
}

/** The service and its key; null where none is configured. Call it where `objectStoreProblems` finds none. */
export function objectStoreAccount(env: ObjectStoreEnvironment): S3Account | null {
  const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: accessKeyId } = env;
  const { S3_REGION: region, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined) return null;
  return { endpoint, region, accessKeyId, secretAccessKey };
}

/** Where uploaded files are; null for the data folder. */
export function s3Settings(env: ObjectStoreEnvironment): S3Settings | null {
  const account = objectStoreAccount(env);
  return account === null || env.S3_BUCKET === undefined ? null : { ...account, bucket: env.S3_BUCKET };
}
