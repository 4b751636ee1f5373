import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '#server/config.ts';
import { deriveKey } from '#server/derive-key.ts';
import type { Database } from '#server/postgres/database.ts';
import type { Secrets } from '#server/start/secrets.ts';

export interface StopLinksOptions {
  readonly config: { readonly publicUrl: string; readonly secrets: Pick<Config['secrets'], 'secondFactorSecret'> };
  readonly secrets: Pick<Secrets, 'refreshTokenSecret'>;
}

type Needs = StopLinksOptions & { readonly database: Pick<Database, 'asService'> };

const ID_BYTES = 32;
/** An id and an HMAC-SHA-256, in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{86}$/;

/** Returns the link by which the reader of an address stops all emails to it that they did not ask for. */
export function stopLink(options: StopLinksOptions, address: string): string {
  const id = idOf(options, address);
  const token = Buffer.concat([id, hmac(options, 'stop', id)]).toString('base64url');
  return `${options.config.publicUrl}/emails/stop/${token}`;
}

/** Whether a token is one of ours. */
export function isStopToken(options: StopLinksOptions, token: string): boolean {
  return recipientOf(options, token) !== null;
}

/** Stops the emails to the address of a link. Returns false for a token that is none of ours. */
export async function stopByLink(needs: Needs, token: string): Promise<boolean> {
  const recipient = recipientOf(needs, token);
  if (recipient === null) return false;
  await store(needs, recipient);
  return true;
}

/** Stops the emails to an address. */
export async function stopEmailsTo(needs: Needs, address: string): Promise<void> {
  await store(needs, idOf(needs, address));
}

/** Whether the reader of an address stopped the emails to it. */
export async function isStopped(needs: Needs, address: string): Promise<boolean> {
  const { rows } = await needs.database.asService({
    name: 'is_stopped_recipient',
    text: 'select from internal.stopped_recipients where recipient = $1',
    values: [idOf(needs, address)],
  });
  return rows.length > 0;
}

async function store({ database }: Needs, recipient: Buffer): Promise<void> {
  await database.asService({
    name: 'stop_emails_to_recipient',
    text: 'insert into internal.stopped_recipients (recipient) values ($1) on conflict do nothing',
    values: [recipient],
  });
}

function recipientOf(options: StopLinksOptions, token: string): Buffer | null {
  if (!TOKEN.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const id = bytes.subarray(0, ID_BYTES);
  return timingSafeEqual(bytes.subarray(ID_BYTES), hmac(options, 'stop', id)) ? id : null;
}

/** Another one for each installation, so that the table of one says nothing to another. */
function idOf(options: StopLinksOptions, address: string): Buffer {
  return hmac(options, 'recipient', address.trim().toLowerCase());
}

function hmac({ config, secrets }: StopLinksOptions, purpose: string, of: Buffer | string): Buffer {
  // The secret that stays when REFRESH_TOKEN_SECRET is changed.
  const key = deriveKey(config.secrets.secondFactorSecret ?? secrets.refreshTokenSecret, 'links that stop emails');
  return createHmac('sha256', key).update(`${purpose} `).update(of).digest();
}
