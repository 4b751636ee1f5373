import { writeFile } from 'node:fs/promises';
import { OperatorError } from '#server/operator-error.ts';

export function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Writes a file that only its owner can read. Throws an OperatorError where it exists or cannot be written. */
export async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    throw new OperatorError(`${file} could not be written: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}
