import { readFile } from 'node:fs/promises';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { OperatorError } from '#server/operator-error.ts';
import { writeNew } from '../write-json.ts';

/** Writes a new key to a new file that only you can read, as `age-keygen` does. Returns its public half. */
export async function writeKeyFile(file: string): Promise<string> {
  const key = await generateX25519Identity();
  const publicKey = await identityToRecipient(key);
  await writeNew(file, `# public key: ${publicKey}\n${key}\n`);
  return publicKey;
}

/** Returns the keys in a file. Throws an OperatorError where there are none. The message never contains a key. */
export async function readKeyFile(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new OperatorError(`${file} cannot be read: ${cause.message}`, { cause });
  });
  const keys = text.split(/\r?\n/).filter((line) => /^AGE-SECRET-KEY-1[0-9A-Z]+$/.test(line.trim()));
  if (keys.length === 0)
    throw new OperatorError(`${file} has no key of age: a line that begins with AGE-SECRET-KEY-1.`);
  return keys.map((key) => key.trim());
}
