import { generateTagCode } from '#domain/tag-code/tag-code.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from '../connect-to-service.ts';

/** How many codes one request issues. */
const BATCH = 500;

/**
 * Generates tag codes and records them as issued, in batches, each before its codes are returned: the service knows
 * every code that is printed. Codes of an interrupted run stay issued and are never returned again. Throws an
 * OperatorError where the service refuses.
 */
export async function* issueCodes(
  { client, url }: Pick<ServiceConnection, 'client' | 'url'>,
  count: number,
): AsyncGenerator<string> {
  for (let issued = 0; issued < count; issued += BATCH) {
    const codes = Array.from({ length: Math.min(BATCH, count - issued) }, () =>
      generateTagCode((bytes) => crypto.getRandomValues(bytes)),
    );
    const issuedAt = new Date().toISOString();
    const { error } = await client.from('qr_codes').insert(codes.map((qr_id) => ({ qr_id, issued_at: issuedAt })));
    if (error) throw new OperatorError(`${url} refused after ${issued} codes: ${error.message}`);
    yield* codes;
  }
}
