/** A part of a multipart body. Its content streams in while it is read, and must be read before the next part. */
export interface Part {
  /** The field name. The official client sends its file with an empty one. */
  readonly name: string;
  /** Undefined where the part is not a file. */
  readonly fileName: string | undefined;
  readonly contentType: string | undefined;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The body does not match its Content-Type. */
export class MalformedMultipart extends Error {}

const MOST_HEADER_BYTES = 8_192;
const MOST_PARTS = 20;
const LINE_END = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');

/**
 * Returns the boundary of a multipart/form-data content type (RFC 7578, RFC 2046), or null for another type or a
 * missing boundary.
 */
export function boundaryOf(contentType: string): string | null {
  const found = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(
    contentType,
  );
  return found?.[1] ?? found?.[2] ?? null;
}

/**
 * Yields the parts of a multipart/form-data body in order, with at most a chunk and a delimiter in memory. Throws
 * `MalformedMultipart`, and rethrows errors of the body.
 */
export async function* readParts(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // Skips the preamble. A line break is put in front, because it belongs to the first delimiter.
  const source = new Source(body, LINE_END);
  await drain(source.until(delimiter));
  for (let count = 0; ; count += 1) {
    const after = await source.take(2);
    if (after.toString('latin1') === '--') return;
    if (!after.equals(LINE_END)) throw new MalformedMultipart('A delimiter does not end its line.');
    if (count === MOST_PARTS) throw new MalformedMultipart('There are too many parts.');
    source.putBack(LINE_END);
    const headers: Buffer[] = [];
    let size = 0;
    for await (const chunk of source.until(HEADERS_END)) {
      size += chunk.length;
      if (size > MOST_HEADER_BYTES) throw new MalformedMultipart('The headers of a part are too long.');
      headers.push(chunk);
    }
    const content = source.until(delimiter);
    yield { ...describePart(Buffer.concat(headers).toString('utf8')), content };
    await drain(content);
  }
}

/** A stream that is read up to delimiters. */
class Source {
  #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer;

  constructor(body: AsyncIterable<Uint8Array>, first: Buffer) {
    this.#chunks = body[Symbol.asyncIterator]();
    this.#held = first;
  }

  putBack(bytes: Buffer): void {
    this.#held = Buffer.concat([bytes, this.#held]);
  }

  async take(length: number): Promise<Buffer> {
    while (this.#held.length < length) await this.#more();
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  /** Yields everything before the delimiter, and consumes the delimiter. */
  async *until(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      // Without a match, the end of the buffer may be the beginning of the delimiter.
      const safe = at === -1 ? this.#held.length - mark.length + 1 : at;
      const before = this.#held.subarray(0, Math.max(0, safe));
      this.#held = this.#held.subarray(at === -1 ? before.length : at + mark.length);
      if (before.length > 0) yield before;
      if (at !== -1) return;
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done === true) throw new MalformedMultipart('The body ends in the middle of a part.');
    this.#held = Buffer.concat([this.#held, next.value]);
  }
}

async function drain(content: AsyncIterable<unknown>): Promise<void> {
  for await (const _chunk of content);
}

function describePart(headers: string): Omit<Part, 'content'> {
  const value = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(headers)?.[1]?.trim();
  const disposition = value('content-disposition') ?? '';
  const parameter = (name: string) => new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1];
  const name = parameter('name');
  if (!/^form-data\b/i.test(disposition) || name === undefined) {
    throw new MalformedMultipart('A part has no field name.');
  }
  return { name, fileName: parameter('filename'), contentType: value('content-type') };
}
