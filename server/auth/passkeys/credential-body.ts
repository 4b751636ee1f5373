import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import * as v from 'valibot';
import { AuthError } from '../wire/auth-error.ts';
import { text } from '../wire/request-body.ts';

/** Base64url; none is longer than what a browser sends. The library decodes and judges what is in it. */
const bytes = v.pipe(v.string(), v.maxLength(32_768));
/** RFC 4648, section 5, without padding. An id has at most 1,023 bytes (WebAuthn, section 4). */
const credentialId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,1364}$/));
const envelope = { id: credentialId, rawId: credentialId, type: v.literal('public-key') };

/** What `navigator.credentials.create` returned, as JSON (WebAuthn, section 5.1.8). Extensions are ignored. */
export const createdCredential = v.pipe(
  v.object({ ...envelope, response: v.object({ clientDataJSON: bytes, attestationObject: bytes }) }),
  v.transform((credential): RegistrationResponseJSON => ({ ...credential, clientExtensionResults: {} })),
);

/** What `navigator.credentials.get` returned, as JSON. */
export const shownCredential = v.pipe(
  v.object({
    ...envelope,
    response: v.object({
      clientDataJSON: bytes,
      authenticatorData: bytes,
      signature: bytes,
      userHandle: v.nullish(v.pipe(v.string(), v.maxLength(128)), ''),
    }),
  }),
  v.transform((credential): AuthenticationResponseJSON => ({ ...credential, clientExtensionResults: {} })),
);

/** The response to a challenge. `readCredential` reads the credential once the challenge is known. */
export const responseBody = v.object({ challenge_id: text, credential: v.optional(v.unknown()) });

/** Throws `credentialMissing`, or `passkeyMalformed` for what no browser returns. */
export function readCredential<Output>(schema: v.GenericSchema<unknown, Output>, credential: unknown): Output {
  if (credential === undefined || credential === null) throw new AuthError('credentialMissing');
  const parsed = v.safeParse(schema, credential, { abortEarly: true });
  if (!parsed.success) throw new AuthError('passkeyMalformed', { cause: parsed.issues[0].message });
  return parsed.output;
}
