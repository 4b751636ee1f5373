import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { encodeCbor } from './encode-cbor.ts';

/** What the client or the authenticator says other than it should. */
export interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly credentialId?: string;
  readonly userVerified?: boolean;
  readonly userPresent?: boolean;
  readonly attestation?: { readonly fmt: string; readonly statement: ReadonlyMap<string, string | Uint8Array> };
  readonly signature?: Uint8Array;
}

type CreationOptions = Pick<PublicKeyCredentialCreationOptionsJSON, 'challenge' | 'rp' | 'user'>;
interface RequestOptions {
  readonly challenge: string;
  readonly rpId?: string | undefined;
}

const [PRESENT, VERIFIED, HAS_CREDENTIAL] = [0x01, 0x04, 0x40];

/** An authenticator with one ES256 key, and the browser at `origin` that asks it (WebAuthn, sections 6.1 and 6.5). */
export class SoftwareKey {
  readonly id = randomBytes(32).toString('base64url');
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  #userHandle = '';
  #counter = 0;
  /** Keys of phones always show 0. */
  readonly #counts: boolean;

  constructor(origin: string, { counts = true }: { readonly counts?: boolean } = {}) {
    this.#origin = new URL(origin).origin;
    this.#counts = counts;
  }

  create({ challenge, rp, user }: CreationOptions, lies: Lies = {}) {
    this.#userHandle = user.id;
    const { fmt, statement } = lies.attestation ?? { fmt: 'none', statement: new Map<string, string>() };
    const authData = this.#authenticatorData(rp.id ?? '', { ...lies, hasCredential: true });
    const attestationObject = encodeCbor(
      new Map<string, string | Uint8Array | ReadonlyMap<string, string | Uint8Array>>([
        ['fmt', fmt],
        ['attStmt', statement],
        ['authData', authData],
      ]),
    ).toString('base64url');
    const id = lies.credentialId ?? this.id;
    const clientDataJSON = this.#clientData('webauthn.create', challenge, lies).toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key' as const,
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    };
  }

  get({ challenge, rpId }: RequestOptions, lies: Lies = {}) {
    const authenticatorData = this.#authenticatorData(rpId ?? '', { ...lies, hasCredential: false });
    const clientData = this.#clientData('webauthn.get', challenge, lies);
    const signature = sign('sha256', Buffer.concat([authenticatorData, hash(clientData)]), this.#pair.privateKey);
    const id = lies.credentialId ?? this.id;
    return {
      id,
      rawId: id,
      type: 'public-key' as const,
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: Buffer.from(lies.signature ?? signature).toString('base64url'),
        userHandle: lies.userHandle ?? this.#userHandle,
      },
      clientExtensionResults: {},
    };
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    const said = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.#origin,
    };
    return Buffer.from(JSON.stringify({ ...said, crossOrigin: false }));
  }

  #authenticatorData(rpId: string, lies: Lies & { readonly hasCredential: boolean }): Buffer {
    const { userPresent = true, userVerified = true, hasCredential } = lies;
    if (this.#counts) this.#counter += 1;
    const fixed = Buffer.alloc(5);
    fixed.writeUInt8(
      (userPresent ? PRESENT : 0) | (userVerified ? VERIFIED : 0) | (hasCredential ? HAS_CREDENTIAL : 0),
    );
    fixed.writeUInt32BE(lies.counter ?? this.#counter, 1);
    return Buffer.concat([hash(lies.rpId ?? rpId), fixed, ...(hasCredential ? [this.#attestedCredential()] : [])]);
  }

  #attestedCredential(): Buffer {
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const { x = '', y = '' } = this.#pair.publicKey.export({ format: 'jwk' });
    // COSE (RFC 9053, section 2.1): an EC2 key for ES256 on P-256.
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    return Buffer.concat([Buffer.alloc(16), length, id, encodeCbor(key)]);
  }
}

function hash(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}
