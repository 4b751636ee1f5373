import { randomBytes } from 'node:crypto';
import type { TestDatabase } from '../test-database.ts';

/** A code such as an owner's browser makes: 96 random bits, so nobody has it yet. */
export function createTagCode(): string {
  return `tgt-${randomBytes(12).toString('base64url')}`;
}

/** A code that the service printed on a sticker, and that nobody has claimed. */
export async function issueTagCode(database: TestDatabase, qrId: string = createTagCode()): Promise<string> {
  await database.query('insert into public.qr_codes (qr_id, issued_at) values ($1, now())', [qrId]);
  return qrId;
}
