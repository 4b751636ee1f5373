import type { RegistrationResponseJSON } from '@simplewebauthn/server';

/** CBOR (RFC 8949) of `{"fmt": "none", "attStmt": {}, "authData": …`, without the length of the bytes that follow. */
const NONE = Buffer.concat([
  Buffer.from([0xa3, 0x63]),
  Buffer.from('fmt'),
  Buffer.from([0x64]),
  Buffer.from('none'),
  Buffer.from([0x67]),
  Buffer.from('attStmt'),
  Buffer.from([0xa0, 0x68]),
  Buffer.from('authData'),
  Buffer.from([0x59]),
]);

/**
 * Replaces the attestation of a new credential by none. Which maker's authenticator it is does not matter here, and it is
 * not asked for. What a client sends all the same is not read: its certificates could name addresses to request.
 *
 * Throws for what is no attestation object.
 */
export async function withoutAttestation(credential: RegistrationResponseJSON): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const { attestationObject } = credential.response;
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(authData.length);
  const none = Buffer.concat([NONE, length, authData]);
  return { ...credential, response: { ...credential.response, attestationObject: none.toString('base64url') } };
}
