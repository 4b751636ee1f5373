import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { OperatorError } from '#server/operator-error.ts';
import { createFile, replaceFile } from './whole-file.ts';
import { inWritableFolder } from './writable-folder.ts';

/** A file of the data folder that can have secrets in it, and is read and written whole. */
export interface StoredJson<Schema extends v.GenericSchema> {
  readonly path: string;
  readonly schema: Schema;
  /** What it contains, as an error says it: "The settings". */
  readonly what: string;
  /** What an operator does about a file that cannot be read, as a sentence. */
  readonly remedy: string;
}

/**
 * Returns undefined where there is no file.
 *
 * @throws OperatorError where it cannot be read. No error has any of its text.
 */
export function readStoredJson<Schema extends v.GenericSchema>(
  file: StoredJson<Schema>,
): v.InferOutput<Schema> | undefined {
  const { path, schema, what, remedy } = file;
  try {
    return v.parse(schema, JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'it is not what was written';
    if (code === 'ENOENT') return undefined;
    throw new OperatorError(`${what} in ${path} cannot be read (${code}). ${remedy}`);
  }
}

/**
 * Stores a value, durably, in a file that only this account can read, in place of what was read before. Returns false where
 * there was none and another process has created one meanwhile, which stays.
 *
 * @throws OperatorError where the folder cannot be written to
 */
export async function storeJson(path: string, value: object, { isNew }: { readonly isNew: boolean }): Promise<boolean> {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  let isOurs = true;
  await inWritableFolder(dirname(path), async () => {
    if (isNew) isOurs = await createFile(path, text);
    else await replaceFile(path, text);
  });
  return isOurs;
}
