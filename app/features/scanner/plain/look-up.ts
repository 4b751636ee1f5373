import { readPublicConfig } from '#app/client/read-public-config.ts';
import type { StickerCode } from '#domain/tag-code/read-scanned-value.ts';

/** Milliseconds without a response after which a look-up has failed. A button tries again. */
const TIMEOUT_MS = 15_000;

/** Returns the tag code of a sticker, or null if no sticker has this typed code. Rejects where it cannot be looked up. */
export async function codeOf(sticker: StickerCode): Promise<string | null> {
  if (sticker.kind === 'tag-code') return sticker.code;
  return call('find_typed_code', { typed_code_param: sticker.typedCode });
}

/** Whether the code has an owner. Rejects where it cannot be looked up. */
export async function hasOwner(code: string): Promise<boolean> {
  return (await call('get_qr_code_owner', { qr_id_param: code })) !== null;
}

/** Calls a function of the data service as a visitor. */
async function call(name: string, parameters: Readonly<Record<string, string>>): Promise<string | null> {
  const { publishableKey } = readPublicConfig();
  const response = await fetch(`/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(parameters),
    // Missing in Safari before 16.
    signal: AbortSignal.timeout?.(TIMEOUT_MS) ?? null,
  });
  if (!response.ok) throw new Error(`The data service responded with ${response.status}.`);
  // Both functions return text or null.
  return (await response.json()) as string | null;
}
