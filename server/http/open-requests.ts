import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a server that stops goes on, in milliseconds. */
export interface Drain {
  /** For a request to be answered, from the stop or from the end of its body. */
  readonly requestsMs: number;
  /** For an upload that is arriving at the stop; `endStalledBodies` ends one that does not move. */
  readonly uploadsMs: number;
}

/** The requests of a server that have no complete response yet. */
export interface OpenRequests {
  /** From now on each connection is closed behind its response. */
  closeBehind(): void;
  /** The connections on which a body is arriving, or has arrived within the last `ms` and is not answered yet. */
  arriving(ms: number): Set<Socket>;
}

export function followRequests(server: Server): OpenRequests {
  /** With the time at which the request was complete, or null before. */
  const open = new Map<ServerResponse, { readonly request: IncomingMessage; completeAt: number | null }>();
  let closing = false;
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive &&= !closing;
    const followed = { request, completeAt: null as number | null };
    open.set(response, followed);
    request.once('end', () => {
      followed.completeAt = performance.now();
    });
    response.once('close', () => open.delete(response));
  });
  return {
    closeBehind() {
      closing = true;
      for (const response of open.keys()) response.shouldKeepAlive = false;
    },
    arriving(ms) {
      const now = performance.now();
      const busy = [...open.values()].filter(({ request, completeAt }) =>
        completeAt === null ? !request.complete : now - completeAt < ms,
      );
      return new Set(busy.map(({ request }) => request.socket));
    },
  };
}
