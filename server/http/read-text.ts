export type ReadText =
  | { readonly outcome: 'read'; readonly text: string }
  | { readonly outcome: 'too-large' }
  | { readonly outcome: 'not-utf8' };

/** The body as text, to a bound in bytes. What is sent counts, not what a header promises. */
export async function readText(request: Request, mostBytes: number): Promise<ReadText> {
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) return { outcome: 'too-large' };
  const { body } = request;
  if (body === null) return { outcome: 'read', text: '' };
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > mostBytes) return { outcome: 'too-large' };
    chunks.push(chunk);
  }
  try {
    return { outcome: 'read', text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return { outcome: 'not-utf8' };
  }
}
