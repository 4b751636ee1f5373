import { AsyncLocalStorage } from 'node:async_hooks';

/** A limit that refused something. */
export interface RefusingLimit {
  readonly name: string;
  /** How many it allows: within `seconds`, or at once. */
  readonly points?: number;
  readonly seconds?: number;
}

const requests = new AsyncLocalStorage<Map<string, RefusingLimit>>();

/** Notes that a limit refused something of the current request, if there is one. */
export function noteRefusal(limit: RefusingLimit): void {
  requests.getStore()?.set(limit.name, limit);
}

/** Runs a request. Returns the limits that refused something meanwhile. */
export async function collectRefusals(run: () => Promise<void>): Promise<readonly RefusingLimit[]> {
  const noted = new Map<string, RefusingLimit>();
  await requests.run(noted, run);
  return [...noted.values()];
}

/**
 * Returns the value of a `RateLimit-Policy` header (draft-ietf-httpapi-ratelimit-headers).
 *
 * @example
 * policyOf([{ name: 'open_channel', points: 30, seconds: 3600 }]); // '"open_channel";q=30;w=3600'
 */
export function policyOf(limits: readonly RefusingLimit[]): string {
  return limits
    .map(({ name, points, seconds }) => {
      const quota = points === undefined ? '' : `;q=${points}`;
      return `"${name}"${quota}${seconds === undefined ? '' : `;w=${seconds}`}`;
    })
    .join(', ');
}
