import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** A document as it went over the wire, and as the browser reads it. */
export interface ReadDocument {
  readonly status: number;
  readonly headers: Headers;
  /** Bytes of the body on the wire. */
  readonly size: number;
  /** Without what stands in its style and script elements, so that a failing test can be read. */
  readonly html: string;
  readonly whole: string;
  /** Status, headers and text in one: what may stand nowhere must not stand in it. */
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
    html: whole.replaceAll(/(<(style|script)[^>]*>).*?(?=<\/\2>)/gs, '$1'),
    whole,
    everything: `${response.status}\n${JSON.stringify([...response.headers])}\n${whole}`,
  };
}
