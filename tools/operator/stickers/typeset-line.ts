import { readFile } from 'node:fs/promises';
import { codePointOf, type LineText } from '#domain/stickers/line-text.ts';
import { unprintableCharacters } from '#domain/stickers/printable-text.ts';
import { OperatorError } from '#server/operator-error.ts';

const list = new Intl.ListFormat('en');

/** Returns the line as stickers carry it. Throws an OperatorError that names each character that no font has. */
export async function typesetLine(line: string, languages: readonly string[]): Promise<LineText> {
  if (unprintableCharacters(line).length === 0) return line;
  // Loaded only for such a line: the shaper is WebAssembly.
  const { createTypesetter } = await import('#domain/stickers/typesetting/typesetter.ts');
  const typeset = await createTypesetter({ load: readFont, languages })(line);
  if (typeset.kind === 'set') return typeset.text;
  const characters = typeset.characters.map((character) => `“${character}” (${codePointOf(character)})`);
  throw new OperatorError(
    characters.length === 1
      ? `The character ${characters[0]} cannot be printed.`
      : `The characters ${list.format(characters)} cannot be printed.`,
  );
}

function readFont(path: string): Promise<Uint8Array> {
  return readFile(new URL(import.meta.resolve(`@fontsource-variable/${path}`)));
}
