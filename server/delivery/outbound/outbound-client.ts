import { Agent as HttpAgent, request as requestByHttp } from 'node:http';
import { Agent, request as requestByHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import {
  type AllowedTargets,
  hasNetworkOnPort,
  inAllowedNetwork,
  NO_MORE_TARGETS,
  namesAllowedHost,
  portOf,
} from './allowed-targets.ts';
import { isPublicAddress } from './is-public-address.ts';
import { type ResolvedAddress, resolveName } from './resolve-name.ts';

/** Enough to keep the connection for the next request; nothing reads it. */
const MOST_BODY_BYTES = 16_384;
const MOST_HEADER_BYTES = 8_192;
const MOST_IDLE_CONNECTIONS = 16;
const IDLE_MS = 30_000;
/** How long a receiver has to respond, in milliseconds. */
export const RESPONSE_MS = 5_000;

export interface OutboundRequest {
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
   * @throws OutboundFailure where there is no response: the URL may not be reached, the receiver cannot be, it is too
   *   slow, or the signal ended.
   */
  post(url: string, request: OutboundRequest, signal?: AbortSignal): Promise<OutboundResponse>;
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
  /** What the operator allows beside; by default nothing. */
  readonly allowed?: AllowedTargets;
  /** Which IP addresses may be connected to on port 443; by default those of the public internet. */
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
 * Creates a client for URLs that clients gave, such as push endpoints. Without the operator's permission it speaks https
 * only, on port 443, and reaches the public internet only. The address that is checked is the one that is connected to, so
 * a name that changes its address in between leads nowhere else.
 */
export function createOutboundClient({
  allowed = NO_MORE_TARGETS,
  allows = isPublicAddress,
  anyPort = false,
  timeoutMs = RESPONSE_MS,
  ca,
  resolve = resolveName,
}: OutboundClientOptions = {}): OutboundClient {
  const pool = { keepAlive: true, maxFreeSockets: MOST_IDLE_CONNECTIONS, timeout: IDLE_MS };
  const agents = { https: new Agent({ ...pool, ...(ca !== undefined && { ca }) }), http: new HttpAgent(pool) };

  function allowedUrl(text: string): URL | null {
    if (!URL.canParse(text)) return null;
    const url = new URL(text);
    if (url.username !== '' || url.password !== '') return null;
    if (namesAllowedHost(allowed, url)) return url;
    const port = portOf(url);
    if (url.protocol !== 'https:') return null;
    if (url.port !== '' && !anyPort && !hasNetworkOnPort(allowed, port)) return null;
    // An address in a URL is connected to without a look-up.
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    return isIP(host) !== 0 && !mayConnect(url, host) ? null : url;
  }

  /** Whether the host of a URL may be reached at an IP address. */
  function mayConnect(url: URL, address: string): boolean {
    if (namesAllowedHost(allowed, url) || inAllowedNetwork(allowed, address, portOf(url))) return true;
    return (url.port === '' || anyPort) && allows(address);
  }

  return {
    accepts: (url) => allowedUrl(url) !== null,
    close() {
      agents.https.destroy();
      agents.http.destroy();
    },
    post(text, { headers, body }, ended) {
      const url = allowedUrl(text);
      if (url === null) return Promise.reject(new OutboundFailure('The URL may not be reached.'));
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = ended === undefined ? timeout : AbortSignal.any([timeout, ended]);
      return new Promise((resolved, rejected) => {
        const isPlain = url.protocol === 'http:';
        const outgoing = (isPlain ? requestByHttp : requestByHttps)(url, {
          method: 'POST',
          agent: isPlain ? agents.http : agents.https,
          headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
          signal,
          lookup: allowedLookup(
            (hostname) => resolve(hostname, signal),
            (address) => mayConnect(url, address),
          ),
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
