import { generateTagCode } from '#domain/tag-code/tag-code.ts';
import type { TestDatabase } from '../test-database.ts';

/** Returns a code such as an owner's browser generates: random, so it is free. */
export function createTagCode(): string {
  return generateTagCode((bytes) => crypto.getRandomValues(bytes));
}

/** Inserts a code that the service printed on a sticker and that is free. */
export async function issueTagCode(database: TestDatabase, qrId: string = createTagCode()): Promise<string> {
  await database.query('insert into public.qr_codes (qr_id, issued_at) values ($1, now())', [qrId]);
  return qrId;
}
