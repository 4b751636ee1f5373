import { dropBody } from './drop-body.ts';

export type ReadText =
  | { readonly outcome: 'read'; readonly text: string }
  | { readonly outcome: 'too-large' }
  /** No text; or broken off in the middle, and then nobody is left to read the answer. */
  | { readonly outcome: 'not-utf8' };

/** The body as text, to a bound in bytes. What is sent counts, not what a header promises. */
export async function readText(request: Request, mostBytes: number): Promise<ReadText> {
  const bytes = await readBytes(request, mostBytes);
  if (bytes === 'too-large') return { outcome: 'too-large' };
  if (bytes === 'broken-off') return { outcome: 'not-utf8' };
  try {
    return { outcome: 'read', text: UTF8.decode(bytes) };
  } catch {
    return { outcome: 'not-utf8' };
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The same as bytes. A body that came over a socket is never longer than it says: the runtime's parser ends it there. So
 * it is read whole, which the adapter does without making web streams of it, a third of what a small call costs.
 */
export async function readBytes(request: Request, mostBytes: number): Promise<Uint8Array | 'too-large' | 'broken-off'> {
  const promised = request.headers.get('content-length');
  if (promised !== null && Number(promised) <= mostBytes) return readWhole(request, mostBytes);
  const { body } = request;
  if (body === null) return new Uint8Array();
  if (promised !== null) {
    await dropBody(body);
    return 'too-large';
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Left open where the loop ends early, so that the rest can be dropped.
  const arriving = body.values({ preventCancel: true });
  try {
    for await (const chunk of arriving) {
      size += chunk.byteLength;
      if (size > mostBytes) break;
      chunks.push(chunk);
    }
  } catch {
    return 'broken-off';
  }
  if (size > mostBytes) {
    await dropBody(body, size);
    return 'too-large';
  }
  return Buffer.concat(chunks);
}

async function readWhole(request: Request, mostBytes: number): Promise<Uint8Array | 'too-large' | 'broken-off'> {
  try {
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.byteLength > mostBytes ? 'too-large' : bytes;
  } catch {
    return 'broken-off';
  }
}
