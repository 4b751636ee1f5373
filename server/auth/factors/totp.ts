import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';

/** Parameters that every authenticator app supports (RFC 6238, and the defaults of the key URI format). */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** RFC 4226, section 4, R6: 160 bits are recommended. */
const SECRET_BYTES = 20;
/** Accepted clock drift, in steps to each side (RFC 6238, section 5.2). */
const WINDOW = 1;

/** What an owner needs to set up an authenticator app. */
export interface TotpSetup {
  /** An SVG image. The client embeds it in a `data:` URL unescaped, so it contains no `#` and no `%`. */
  readonly qr_code: string;
  /** Base32. */
  readonly secret: string;
  readonly uri: string;
}

export function makeTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

export function describeTotp(secret: Buffer, { issuer, label }: { issuer: string; label: string }): TotpSetup {
  const totp = new TOTP({ ...PARAMETERS, issuer, label, secret: asSecret(secret) });
  const uri = totp.toString();
  return { qr_code: renderSVG(uri, { border: 4 }), secret: totp.secret.base32, uri };
}

/**
 * Returns the 30-second step that the code belongs to: the step at `now` (milliseconds since the epoch) or a neighbor.
 * Returns null where none matches.
 */
export function matchTotp(secret: Buffer, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = new TOTP({ ...PARAMETERS, secret: asSecret(secret) }).validate({
    token: code,
    timestamp: now,
    window: WINDOW,
  });
  return delta === null ? null : Math.floor(now / 1000 / PARAMETERS.period) + delta;
}

function asSecret(bytes: Buffer): Secret {
  // Copied, because a Buffer can be a view of a larger ArrayBuffer.
  return new Secret({ buffer: new Uint8Array(bytes).buffer });
}
