import { createECDH } from 'node:crypto';

const CURVE = 'prime256v1';

/** Returns a new random private key of Web Push: 32 bytes of the curve P-256 in base64url, as other programs print it. */
export function makePushKey(): string {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  // A number below 2^248 has leading zeros, which OpenSSL leaves out.
  return Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
    .subarray(-32)
    .toString('base64url');
}

/** Returns the public key of a private one: the uncompressed point in base64url, as browsers and push services read it. */
export function publicPushKey(privateKey: string): string {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(privateKey, 'base64url');
  return pair.getPublicKey('base64url');
}

/** Whether a text is a private key of Web Push. */
export function isPushKey(text: string): boolean {
  if (!/^[A-Za-z0-9_-]{43}$/.test(text)) return false;
  try {
    return publicPushKey(text) !== '';
  } catch {
    return false;
  }
}

/** Whether a text is the public key of a browser: a point of the curve. */
export function isPublicPushKey(text: string): boolean {
  const own = createECDH(CURVE);
  own.generateKeys();
  try {
    return own.computeSecret(text, 'base64url').length > 0;
  } catch {
    return false;
  }
}
