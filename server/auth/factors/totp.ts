import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';

/** What every authenticator app takes (RFC 6238 with the defaults of the key URI format). */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** RFC 4226, section 4, R6: 160 bits are recommended. */
const SECRET_BYTES = 20;
/** Clocks of phones are late or early; one step to each side (RFC 6238, section 5.2). */
const WINDOW = 1;

/** What an owner needs to set up an authenticator app (wire contract, section 1.13). */
export interface TotpSetup {
  /** An SVG image. The client puts it into a `data:` address as it is, so it holds no `#` and no `%`. */
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
 * The 30-second step whose code this is, of the step at `now` (milliseconds since the epoch) and its neighbours; null
 * for a code of none of them.
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
  // A copy of its own: a Buffer may be a part of a larger one.
  return new Secret({ buffer: new Uint8Array(bytes).buffer });
}
