import { createHash } from 'node:crypto';

export interface SqlFile {
  /** The file's name, relative to the folder of its kind. */
  readonly name: string;
  /** Its text with LF line endings. */
  readonly sql: string;
}

/** A checkout on Windows may have changed line endings, and an editor may have added a byte order mark. */
export function withPlainLineEnds(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

/** SHA-256 of a text, in hexadecimal. */
export function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}

/** For `catch`: a value in place of a file or folder that does not exist. */
export function unlessMissing<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
}
