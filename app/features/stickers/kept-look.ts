import * as v from 'valibot';
import { privateStorageKey } from '#app/client/private-storage.ts';
import { LONGEST_OWN_LINE } from '#domain/stickers/line-text.ts';
import { CALL_LANGUAGES } from '#domain/texts/stickers/sticker-calls.ts';
import { LONGER_SIDE, openLogo } from './logo/read-logo.ts';
import { type StickerLook, USUAL_LOOK } from './sticker-look.ts';

const side = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LONGER_SIDE));

const schema = v.object({
  userId: v.string(),
  hasCall: v.boolean(),
  callLanguage: v.nullable(v.picklist(CALL_LANGUAGES.map(({ tag }) => tag))),
  hasTypedCode: v.boolean(),
  hasProduct: v.boolean(),
  own: v.pipe(v.string(), v.maxLength(LONGEST_OWN_LINE)),
  logo: v.nullable(
    v.object({
      source: v.pipe(v.string(), v.startsWith('data:image/jpeg;base64,')),
      width: side,
      height: side,
    }),
  ),
  color: v.pipe(v.string(), v.regex(/^#[\da-f]{6}$/i)),
});

/** Keeps the look of the account's stickers in this browser, until the account signs out. */
export function keepLook(userId: string, { logo, ...look }: StickerLook): void {
  const kept = logo && { source: logo.source, width: logo.width, height: logo.height };
  try {
    localStorage.setItem(
      privateStorageKey(),
      JSON.stringify({ userId, ...look, logo: kept } satisfies v.InferInput<typeof schema>),
    );
  } catch {
    // Only this visit remembers it.
  }
}

/** Returns the look that the account's stickers had last in this browser, or the usual one. */
export async function keptLook(userId: string): Promise<StickerLook> {
  try {
    const kept = v.parse(schema, JSON.parse(localStorage.getItem(privateStorageKey()) ?? 'null'));
    if (kept.userId !== userId) return USUAL_LOOK;
    const { hasCall, callLanguage, hasTypedCode, hasProduct, own, color } = kept;
    const logo = kept.logo && (await openLogo(kept.logo.source));
    return { hasCall, callLanguage, hasTypedCode, hasProduct, own, logo, color };
  } catch {
    return USUAL_LOOK;
  }
}
