import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from '#server/derive-key.ts';

/** Encrypts what the service must be able to read back, such as the secret of a TOTP factor. */
export interface SecretBox {
  /** Encrypts for an `owner`, such as the id of the row that stores the result. Only the same owner can open it. */
  seal(plain: Uint8Array, owner: string): Buffer;
  /** Throws where another key or owner sealed it, or where it was modified. */
  open(sealed: Buffer, owner: string): Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with a random nonce; the key is derived from a secret that the database does not have. */
export function createSecretBox(secret: string): SecretBox {
  const key = deriveKey(secret, 'second factors');
  return {
    seal(plain, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed, owner) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(owner))
        .setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}
