import type { HttpBindings } from '@hono/node-server';
import type { ServiceLog } from '#server/log/log.ts';

/** What every handler finds in its context. */
export interface AppEnv {
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Identifies the request in the log and in the `X-Request-Id` header. */
    requestId: string;
    log: ServiceLog;
    /**
     * The address that limits apply to: the socket's, or the one reported by a trusted proxy, with IPv6 cut to its /64
     * prefix.
     */
    clientAddress: string;
  };
}
