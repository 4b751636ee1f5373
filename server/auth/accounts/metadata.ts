import { isTagCode } from '#domain/tag-code/tag-code.ts';
import { AuthError } from '../wire/auth-error.ts';
import { requirePhoneNumber } from './identifier.ts';

/** The largest metadata of an account, in bytes of JSON. Metadata is part of every access token. */
const LARGEST_METADATA_BYTES = 8_192;

/** Keys set by the service; a client cannot set them in its own metadata. */
const OURS = ['sub', 'email', 'email_verified', 'phone_verified'];

/** Metadata supplied by the account holder. If present, `phone` is E.164 and `qr_id` has the form of a tag code. */
export type Metadata = Readonly<Record<string, unknown>>;

/**
 * Validates the `data` of a request. Removes reserved keys and an empty phone or tag code. Throws an AuthError for an
 * invalid phone number, an invalid tag code or metadata above the size limit.
 */
export function readMetadata(data: Metadata | null | undefined): Metadata {
  const metadata: Record<string, unknown> = { ...data };
  for (const name of OURS) delete metadata[name];
  const { full_name, phone, qr_id } = metadata;
  if (full_name !== undefined && full_name !== null && typeof full_name !== 'string') {
    throw new AuthError('fieldMalformed', { detail: 'data.full_name must be a string' });
  }
  if (phone === '') delete metadata.phone;
  else if (phone !== undefined && phone !== null) {
    if (typeof phone !== 'string') throw new AuthError('phoneMalformed');
    metadata.phone = requirePhoneNumber(phone);
  }
  if (qr_id === '') delete metadata.qr_id;
  else if (qr_id !== undefined && qr_id !== null && !(typeof qr_id === 'string' && isTagCode(qr_id))) {
    throw new AuthError('tagCodeMalformed');
  }
  requireBounded(metadata);
  return metadata;
}

/**
 * Merges changed metadata into an account's metadata, at the top level; a null value removes the key. Throws
 * `metadataTooLarge`.
 */
export function mergeMetadata(before: Metadata, change: Metadata): Metadata {
  const merged = Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null));
  requireBounded(merged);
  return merged;
}

function requireBounded(metadata: Metadata): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) > LARGEST_METADATA_BYTES) throw new AuthError('metadataTooLarge');
}
