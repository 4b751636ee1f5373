import { invalidRequest } from '../errors.ts';

/**
 * Yields what arrives of a body. Throws InvalidRequest where the client breaks off. The caller releases the reader, so that
 * it can discard the rest.
 */
export async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw invalidRequest('The upload was broken off', cause);
    });
    if (done) return;
    yield value;
  }
}
