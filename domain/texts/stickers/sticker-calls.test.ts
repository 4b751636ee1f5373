import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { unprintableCharacters } from '../../stickers/printable-text.ts';
import { createTypesetter } from '../../stickers/typesetting/typesetter.ts';
import { CALL_LANGUAGES, stickerCall } from './sticker-calls.ts';

const load = (path: string): Promise<Uint8Array> =>
  readFile(new URL(import.meta.resolve(`@fontsource-variable/${path}`)));
const typeset = createTypesetter({ load, languages: [] });

test.each(CALL_LANGUAGES)('the call to the finder in $tag can be drawn', async ({ tag }) => {
  const call = stickerCall(tag).normalize();
  expect(call).not.toBe('');
  if (unprintableCharacters(call).length > 0) expect((await typeset(call)).kind).toBe('set');
});
