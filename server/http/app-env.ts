import type { HttpBindings } from '@hono/node-server';
import type { FinderLanguage } from '#domain/finder-language.ts';
import type { ServiceLog } from '#server/log/log.ts';
import type { Untimed } from '#server/postgres/in-time.ts';

/** The fields of a form, and whether a photo came with them. */
interface SentForm {
  readonly fields: URLSearchParams;
  readonly hasPhoto: boolean;
}

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
    /** Runs a part of a request that does not count as waiting for the database; only where that is limited. */
    untimed?: Untimed;
    /** What a plain form contained that was read, so that the page that cannot confirm it offers to send it again. */
    sentForm?: SentForm;
    /** The language of the pages for finders; `visitorLanguage` reads it. */
    finderLanguage?: FinderLanguage;
  };
}
