import * as v from 'valibot';
import { text, webOrigin } from './values.ts';

/** The variables of an S3-compatible object store. Either all or none must be set. */
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

const REQUIRED = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

export function objectStoreProblems(env: ObjectStoreEnvironment): string[] {
  const missing = REQUIRED.filter((name) => env[name] === undefined);
  if (missing.length === 0 || missing.length === REQUIRED.length) return [];
  return missing.map((name) => `${name} is missing: an object store needs all of ${REQUIRED.join(', ')}.`);
}

/** Returns the configured store. Call it where `objectStoreProblems` finds none. */
export function objectStoreSettings(env: ObjectStoreEnvironment) {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId } = env;
  const { S3_REGION: region, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (endpoint === undefined || bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    return null;
  }
  return { endpoint, region, bucket, accessKeyId, secretAccessKey };
}
