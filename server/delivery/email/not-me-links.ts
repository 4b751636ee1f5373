import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import type { Config } from '#server/config.ts';
import { deriveKey } from '#server/derive-key.ts';
import type { Secrets } from '#server/start/secrets.ts';

/** What a link "This wasn't me" undoes. */
export interface NotMe {
  readonly userId: string;
  /** The session that made the change; null where it is unknown. */
  readonly sessionId: string | null;
  /** When it was made, in milliseconds. */
  readonly changedAt: number;
  /** The address that the account had before, where the notice went there. */
  readonly formerEmail?: string | null;
  /** The number that it had before, E.164 without the plus, where the notice went there. */
  readonly formerPhone?: string | null;
}

export interface NotMeLinksOptions {
  readonly config: { readonly publicUrl: string; readonly secrets: Pick<Config['secrets'], 'secondFactorSecret'> };
  readonly secrets: Pick<Secrets, 'refreshTokenSecret'>;
}

/** How long a link works, in milliseconds. */
const LIFE_MS = 30 * 24 * 3_600_000;
const SIGNATURE_BYTES = 16;
const contents = v.tuple([
  v.string(),
  v.nullable(v.string()),
  v.number(),
  v.nullable(v.string()),
  v.nullable(v.string()),
]);

/**
 * The links "This wasn't me" in notices of account changes. A token is what it undoes, and the first 128 bits of an
 * HMAC-SHA-256 with the service's secret: nothing is stored, and the reader of the notice alone has it.
 */
export function notMeLinks({ config, secrets }: NotMeLinksOptions) {
  // The secret that stays when REFRESH_TOKEN_SECRET is changed.
  const key = deriveKey(config.secrets.secondFactorSecret ?? secrets.refreshTokenSecret, 'links of account changes');
  const signatureOf = (text: string): Buffer =>
    createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES);

  return {
    linkFor({ userId, sessionId, changedAt, formerEmail = null, formerPhone = null }: NotMe): string {
      const text = JSON.stringify([
        shorten(userId),
        sessionId && shorten(sessionId),
        changedAt,
        formerEmail,
        formerPhone,
      ]);
      const token = Buffer.concat([signatureOf(text), Buffer.from(text)]).toString('base64url');
      return `${config.publicUrl}/not-me/${token}`;
    },

    /** Returns what a token undoes, or null for one that we did not make, or that is older than 30 days. */
    read(token: string, now: number): NotMe | null {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.byteLength <= SIGNATURE_BYTES) return null;
      const text = bytes.subarray(SIGNATURE_BYTES).toString();
      if (!timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), signatureOf(text))) return null;
      const [user, session, changedAt, formerEmail, formerPhone] = v.parse(contents, JSON.parse(text));
      if (changedAt < now - LIFE_MS) return null;
      return { userId: restore(user), sessionId: session && restore(session), changedAt, formerEmail, formerPhone };
    },
  };
}

/** A UUID in 22 letters. */
function shorten(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function restore(short: string): string {
  const hex = Buffer.from(short, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
