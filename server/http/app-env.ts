import type { HttpBindings } from '@hono/node-server';
import type { ServiceLog } from '#server/log.ts';

/** What every handler finds in its context. */
export interface AppEnv {
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Names the request in the log and in the `X-Request-Id` header. */
    requestId: string;
    log: ServiceLog;
    /** Where limits count: the socket's address or a trusted proxy's word, an IPv6 address cut to its /64. */
    clientAddress: string;
  };
}
