import * as v from 'valibot';
import { boundedArray } from '#server/http/bounded-array.ts';
import type { Database } from '#server/postgres/database.ts';
import { invalidFileSize, noSuchBucket } from '../errors.ts';
import { flag } from '../wire/flag.ts';

/** A bucket as sent to clients. Times are ISO 8601 with milliseconds. */
export interface Bucket {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly public: boolean;
  readonly type: 'STANDARD';
  readonly file_size_limit: number | null;
  readonly allowed_mime_types: readonly string[] | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const BUCKET_COLUMNS = `id, name, coalesce(owner::text, '') as owner, public, type,
  file_size_limit::float8 as file_size_limit, allowed_mime_types, created_at, updated_at`;

/** The rules of a bucket for every upload. */
export interface BucketRules {
  readonly public: boolean;
  readonly pictures: boolean;
  /** Bytes. */
  readonly file_size_limit: number | null;
  readonly allowed_mime_types: readonly string[] | null;
}

/**
 * Returns the rules of a bucket. They apply to every caller, so they are read without row-level security. Throws
 * NoSuchBucket.
 */
export async function readBucketRules(database: Pick<Database, 'asService'>, id: string): Promise<BucketRules> {
  const { rows } = await database.asService<BucketRules>({
    name: 'storage_bucket_rules',
    text: `select public, pictures, file_size_limit::float8 as file_size_limit, allowed_mime_types
             from storage.buckets where id = $1`,
    values: [id],
  });
  const [rules] = rows;
  if (rules === undefined) throw noSuchBucket();
  return rules;
}

const mimeTypes = boundedArray(v.pipe(v.string(), v.regex(/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/)), { most: 100 });

/** Settings of a bucket that a caller may change; undefined leaves a setting unchanged. */
export const bucketSettings = {
  public: v.optional(flag),
  file_size_limit: v.nullish(v.union([v.number(), v.string()])),
  allowed_mime_types: v.nullish(mimeTypes),
  versioning_status: v.optional(v.string()),
};

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };

/** Parses a size in bytes, from a number or text such as "20mb"; null means no limit. Throws InvalidRequest. */
export function readFileSize(size: number | string | null): number | null {
  if (size === null) return null;
  const [, digits = '', unit = 'b'] = /^(\d{1,15}(?:\.\d{1,3})?)\s*(b|kb|mb|gb)?$/i.exec(String(size).trim()) ?? [];
  const bytes = Math.floor(Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN));
  if (digits === '' || !Number.isSafeInteger(bytes) || bytes < 1) throw invalidFileSize();
  return bytes;
}
