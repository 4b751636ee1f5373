import { loadPart } from '#app/ui/load-part.ts';
import type { SpreadsheetWords } from '#domain/words/compiled/types.ts';

type FileProblem = keyof SpreadsheetWords['fileProblems'];

export type SheetFile =
  | { readonly ok: true; readonly table: readonly (readonly string[])[] }
  | { readonly ok: false; readonly problem: FileProblem };

const MOST_BYTES = 5_000_000;

/**
 * Reads a CSV file into rows of cells, whatever separates them. It must be in UTF-8, or in UTF-16 with a byte order mark:
 * another encoding would spoil names without a word.
 */
export async function readSheetFile(file: Blob): Promise<SheetFile> {
  if (file.size > MOST_BYTES) return { ok: false, problem: 'too-large' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = decode(bytes);
  if (text === null) return { ok: false, problem: isArchive(bytes) ? 'not-csv' : 'wrong-encoding' };
  if (isArchive(bytes)) return { ok: false, problem: 'not-csv' };
  if (text.includes('\0')) return { ok: false, problem: isUnmarkedUtf16(text) ? 'wrong-encoding' : 'not-csv' };
  const { default: Papa } = await loadPart(() => import('papaparse'));
  const { delimiter, body } = separate(text);
  const { data, errors } = Papa.parse<string[]>(body, { delimiter });
  if (errors.some(({ type }) => type === 'Quotes')) return { ok: false, problem: 'broken-quotes' };
  return { ok: true, table: data };
}

/** Excel and others begin a file with a line that names its separator; a program in between may have quoted it. */
const NAMED_SEPARATOR = /^\uFEFF?"?sep=([^\r\n"])"?[,;\t]*(?:\r\n|[\r\n]|$)/i;

/**
 * Returns the separator that is most frequent among the headings, which have none of their own, and the text from the
 * headings on. Texts below them do, and would mislead a guess from all rows. A separator that the file names is preferred;
 * a program that took its line for a row may have saved the file with another one.
 */
function separate(text: string): { readonly delimiter: string; readonly body: string } {
  const named = NAMED_SEPARATOR.exec(text);
  const body = named === null ? text : text.slice(named[0].length);
  const [headings = ''] = /^.*$/m.exec(body.trimStart()) ?? [];
  const candidates = [named?.[1] ?? ',', ',', ';', '\t'];
  const [delimiter = ','] = candidates.toSorted((a, b) => headings.split(b).length - headings.split(a).length);
  return { delimiter, body };
}

function decode(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** UTF-16 without a byte order mark passes for UTF-8 where each letter is of ASCII: half of the bytes are zero. */
function isUnmarkedUtf16(text: string): boolean {
  return /\n\0|\0\n/.test(text);
}

/** The files of Excel, Numbers and LibreOffice themselves are ZIP archives. */
function isArchive(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
}
