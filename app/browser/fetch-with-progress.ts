/**
 * Milliseconds without progress after which a connection counts as lost. A slow one still moves, and the server converts a
 * picture in less.
 */
const STALLED_MS = 60_000;

interface ProgressOptions {
  /** The sent share of the body, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Returns a `fetch` for the official client that uses XMLHttpRequest, because only that reports upload progress.
 * Rejects like fetch: with an AbortError when aborted, with a TypeError without a connection, or on one that stalls.
 */
export function fetchWithProgress({ onProgress, signal }: ProgressOptions): typeof fetch {
  return (input, init = {}) =>
    new Promise<Response>((resolve, reject) => {
      const url = input instanceof Request ? input.url : String(input);
      const request = new XMLHttpRequest();
      request.open(init.method ?? 'GET', url);
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
      request.responseType = 'arraybuffer';
      let stalled: ReturnType<typeof setTimeout> | undefined;
      const waitOn = () => {
        clearTimeout(stalled);
        stalled = setTimeout(() => {
          reject(new TypeError('The connection stalled.'));
          request.abort();
        }, STALLED_MS);
      };
      request.onloadend = () => clearTimeout(stalled);
      request.upload.onprogress = ({ loaded, total }) => {
        waitOn();
        onProgress(total === 0 ? 0 : loaded / total);
      };
      request.onload = () => {
        const body: unknown = request.response;
        resolve(
          new Response(body instanceof ArrayBuffer && body.byteLength > 0 ? body : null, {
            status: request.status,
            headers: { 'Content-Type': request.getResponseHeader('Content-Type') ?? '' },
          }),
        );
      };
      request.onerror = () => reject(new TypeError('The connection was lost.'));
      request.onabort = () => reject(new DOMException('The upload was called off.', 'AbortError'));
      signal.addEventListener('abort', () => request.abort(), { once: true });
      if (signal.aborted) request.abort();
      else {
        waitOn();
        // The client sends forms, text or nothing; it would send streams only through fetch.
        request.send(init.body instanceof ReadableStream ? null : (init.body ?? null));
      }
    });
}
