import { Readable } from 'node:stream';
import { OperatorError } from '#server/operator-error.ts';
import { DamagedBackup } from './archive/damaged-backup.ts';

/** How a file in the format of age (age-encryption.org/v1) begins. */
const MAGIC = Buffer.from('age-encryption.org/');

/** What is written to it is encrypted on its way. */
export interface EncryptingWriter {
  /** Resolves once it takes more. */
  write(bytes: Buffer): Promise<void>;
  /** Resolves once everything has been passed on. */
  end(): Promise<void>;
}

/**
 * Encrypts for a public key, in the format of age.
 *
 * @throws OperatorError for what is no public key.
 */
export async function encryptFor(publicKey: string, pass: (bytes: Buffer) => Promise<void>): Promise<EncryptingWriter> {
  // Loaded where it is needed, like all that few services use: it takes memory.
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(publicKey);
  } catch (cause) {
    throw new OperatorError('--to-key must be a public key of age, such as age1…', { cause });
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encrypted = await encrypter.encrypt(readable);
  const passed = (async () => {
    for await (const chunk of encrypted) await pass(Buffer.from(chunk));
  })();
  // It is thrown by the next call.
  passed.catch(() => undefined);
  // Where passing on fails, such as on a full disk, the writer fails too, but without the reason.
  const orReason = (written: Promise<void>) =>
    written.catch((error: unknown) => passed.then(() => Promise.reject(error)));
  return {
    write: (bytes) => orReason(writer.write(bytes)),
    async end() {
      await orReason(writer.close());
      await passed;
    },
  };
}

/**
 * Passes on a backup, decrypted with one of these keys where it is encrypted.
 *
 * @throws OperatorError where no key opens it, and DamagedBackup where it was changed.
 */
export async function* decrypt(source: AsyncIterable<Uint8Array>, keys: readonly string[]): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  const beginning: Uint8Array = first.done === true ? Buffer.alloc(0) : first.value;
  const whole = (async function* () {
    yield beginning;
    for (;;) {
      const { done, value } = await iterator.next();
      if (done === true) return;
      yield value;
    }
  })();
  if (!MAGIC.equals(beginning.subarray(0, MAGIC.byteLength))) {
    yield* whole;
    return;
  }
  if (keys.length === 0) throw new OperatorError('The backup is encrypted. Add --key-file with the file of its key.');
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  for (const key of keys) decrypter.addIdentity(key);
  // It emits the bytes that the generator yields.
  const encrypted = Readable.toWeb(Readable.from(whole)) as ReadableStream<Uint8Array>;
  const plain = await decrypter.decrypt(encrypted).catch((cause: unknown) => {
    throw new OperatorError('This key does not open the backup, or the backup is damaged.', { cause });
  });
  const chunks = plain.getReader();
  for (;;) {
    const { done, value } = await chunks.read().catch(() => {
      throw new DamagedBackup('it is not what was encrypted');
    });
    if (done === true) return;
    yield value;
  }
}
