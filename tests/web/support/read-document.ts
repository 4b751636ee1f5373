import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** A document as it went over the wire, and as the browser reads it. */
export interface ReadDocument {
  readonly status: number;
  readonly headers: Headers;
  /** Bytes of the body on the wire. */
  readonly size: number;
  /**
   * Without the content of its style and script elements, so that a failing test is readable, and without the isolation
   * of names within sentences.
   */
  readonly html: string;
  readonly whole: string;
  /** Status, headers and text together, to check that something is in none of them. */
  readonly everything: string;
}

export async function readDocument(response: Response): Promise<ReadDocument> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const encoding = response.headers.get('content-encoding');
  const unpacked = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
  const whole = unpacked.toString('utf8');
  return {
    status: response.status,
    headers: response.headers,
    size: bytes.byteLength,
    html: whole
      .replaceAll(/(<(style|script)[^>]*>).*?(?=<\/\2>)/gs, '$1')
      .replaceAll(/<\/?bdi( translate="no")?>/g, ''),
    whole,
    everything: `${response.status}\n${JSON.stringify([...response.headers])}\n${whole}`,
  };
}
