import { randomBytes } from 'node:crypto';
import type { TestDatabase } from '../test-database.ts';

/** Returns a code such as an owner's browser generates: 96 random bits, so it is free. */
export function createTagCode(): string {
  return `tgt-${randomBytes(12).toString('base64url')}`;
}

/** Inserts a code that the service printed on a sticker and that is free. */
export async function issueTagCode(database: TestDatabase, qrId: string = createTagCode()): Promise<string> {
  await database.query('insert into public.qr_codes (qr_id, issued_at) values ($1, now())', [qrId]);
  return qrId;
}
