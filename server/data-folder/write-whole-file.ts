import type { WriteStream } from 'node:fs';
import { access, open, rename, rm, stat } from 'node:fs/promises';
import { OperatorError } from '#server/operator-error.ts';

/** Throws an OperatorError where the file exists: nothing is ever written over. */
export async function requireNoFile(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw new OperatorError(`${file} already exists. Name a new file.`);
}

/**
 * Writes a new file that only its owner can read. It has its name only once it is whole: until then `{file}.part` has
 * the content, and a part that a killed run has left is replaced. `write` resolves once everything is written, and
 * its result is returned. Throws an OperatorError where the file exists or cannot be written.
 */
export async function writeWholeFile<Result>(
  file: string,
  write: (out: WriteStream) => Promise<Result>,
): Promise<Result> {
  await requireNoFile(file);
  const part = `${file}.part`;
  try {
    await rm(part, { force: true });
    const handle = await open(part, 'wx', 0o600);
    const { ino } = await handle.stat();
    const out = handle.createWriteStream({ flush: true });
    try {
      const result = await write(out);
      // Another run that began meanwhile has replaced the part by its own, which is not whole.
      if ((await stat(part)).ino !== ino) throw new OperatorError(`Another run is writing ${file}.`);
      await requireNoFile(file);
      await rename(part, file);
      return result;
    } catch (error) {
      out.destroy();
      const isOwn = await stat(part).then(
        (found) => found.ino === ino,
        () => false,
      );
      if (isOwn) await rm(part, { force: true });
      throw error;
    }
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new OperatorError(`${file} could not be written: ${cause.message}`, { cause });
  }
}
