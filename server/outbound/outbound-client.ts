import { Agent, request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './is-public-address.ts';
import { type ResolvedAddress, resolveName } from './resolve-name.ts';

/** Enough to keep the connection for the next request; nothing reads it. */
const MOST_BODY_BYTES = 16_384;
const MOST_HEADER_BYTES = 8_192;
const MOST_IDLE_CONNECTIONS = 16;
const IDLE_MS = 30_000;

interface OutboundRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

interface OutboundResponse {
  readonly status: number;
  /** As the receiver asks for it, in seconds or as a date; null where it does not. */
  readonly retryAfter: string | null;
}

/** Sends requests to URLs that clients gave. */
export interface OutboundClient {
  /**
   * Posts to a URL and returns the receiver's status. It follows no redirect, and reads no more of the body than a
   * bound.
   *
   * @throws OutboundFailure where there is no response: the URL may not be reached, the receiver cannot be, or it is
   *   too slow.
   */
  post(url: string, request: OutboundRequest): Promise<OutboundResponse>;
  /** Whether a URL has the form of one that may be reached. Where its name leads is checked with each connection. */
  accepts(url: string): boolean;
  /** Closes idle connections. */
  close(): void;
}

/** A receiver gave no response. The message names neither its URL nor its address, because it is logged. */
export class OutboundFailure extends Error {
  override name = 'OutboundFailure';
}

export interface OutboundClientOptions {
  /** Which IP addresses may be connected to; by default those of the public internet. */
  readonly allows?: (address: string) => boolean;
  /** Whether URLs may name another port than 443. Otherwise clients could use the server to look for open ports. */
  readonly anyPort?: boolean;
  /** Timeout of a whole request, in milliseconds. */
  readonly timeoutMs?: number;
  /** For tests: certificates of authorities in place of the usual ones, in PEM. */
  readonly ca?: string;
  /** For tests: how names become addresses. The signal ends with the attempt. */
  readonly resolve?: (hostname: string, signal: AbortSignal) => Promise<readonly ResolvedAddress[]>;
}

/**
 * Creates a client for URLs that clients gave, such as push endpoints. It speaks https only, on port 443, and reaches
 * only addresses that are allowed. The address that is checked is the one that is connected to, so a name that changes its address in
 * between leads nowhere else.
 */
export function createOutboundClient({
  allows = isPublicAddress,
  anyPort = false,
  timeoutMs = 5_000,
  ca,
  resolve = resolveName,
}: OutboundClientOptions = {}): OutboundClient {
  const agent = new Agent({
    keepAlive: true,
    maxFreeSockets: MOST_IDLE_CONNECTIONS,
    timeout: IDLE_MS,
    ...(ca !== undefined && { ca }),
  });

  function allowedUrl(text: string): URL | null {
    if (!URL.canParse(text)) return null;
    const url = new URL(text);
    if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
    if (url.port !== '' && !anyPort) return null;
    // An address in a URL is connected to without a look-up.
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    return isIP(host) !== 0 && !allows(host) ? null : url;
  }

  return {
    accepts: (url) => allowedUrl(url) !== null,
    close: () => agent.destroy(),
    post(text, { headers, body }) {
      const url = allowedUrl(text);
      if (url === null) return Promise.reject(new OutboundFailure('The URL may not be reached.'));
      const signal = AbortSignal.timeout(timeoutMs);
      return new Promise((resolved, rejected) => {
        const outgoing = request(url, {
          method: 'POST',
          agent,
          headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
          signal,
          lookup: allowedLookup((hostname) => resolve(hostname, signal), allows),
          maxHeaderSize: MOST_HEADER_BYTES,
        });
        const fail = (error?: unknown) =>
          rejected(new OutboundFailure(`The receiver gave no response${codeOf(error)}.`));
        outgoing.on('error', fail);
        // A change of protocol ends the request without an error.
        outgoing.once('close', () => fail());
        outgoing.once('response', (response) => {
          let bytes = 0;
          response.on('error', () => undefined);
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes > MOST_BODY_BYTES) response.destroy();
          });
          resolved({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null });
        });
        outgoing.end(body);
      });
    },
  };
}

/** Resolves a name to those of its addresses that are allowed, and fails where none is. */
function allowedLookup(
  resolve: (hostname: string) => Promise<readonly ResolvedAddress[]>,
  allows: (address: string) => boolean,
): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (found) => {
        const allowed = found.filter(({ address }) => allows(address));
        const [first] = allowed;
        if (first === undefined)
          callback(Object.assign(new Error('No address is allowed.'), { code: 'ENOTALLOWED' }), '');
        else if (all === true) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return ` (${error.code})`;
  return '';
}
