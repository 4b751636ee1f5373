import { isTagCode } from '#domain/tag-code.ts';
import { AuthError } from './auth-error.ts';
import { requirePhoneNumber } from './phone-number.ts';

/** Largest metadata of one account, in bytes of JSON: it travels in every access token. */
const LARGEST_METADATA_BYTES = 8_192;

/** Said by the service alone; nobody can put them into their own metadata. */
const OURS = ['sub', 'email', 'email_verified', 'phone_verified'];

/** What an account holder says about themselves. `phone` is E.164, `qr_id` a possible tag code, where present. */
export type Metadata = Readonly<Record<string, unknown>>;

/**
 * What stands in `data` of a request, cleaned. An empty phone or tag code is none. Throws an AuthError for a phone
 * that is no number, a code that is no code, or more than the service keeps.
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

/** Metadata of an account merged with a change of it, at the top level; null removes a key. */
export function mergeMetadata(before: Metadata, change: Metadata): Metadata {
  const merged = Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null));
  requireBounded(merged);
  return merged;
}

function requireBounded(metadata: Metadata): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) > LARGEST_METADATA_BYTES) throw new AuthError('metadataTooLarge');
}
