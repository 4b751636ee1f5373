import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Caller } from '#server/postgres/caller.ts';
import { ClaimsRefused } from '#server/tokens/claims-refused.ts';
import type { ResolveCaller } from '#server/tokens/resolve-caller.ts';
import { accessDenied, authorizationMissing } from './errors.ts';
import { type ObjectPath, readBucketPath, readObjectPath } from './wire/object-path.ts';

/** A request to the storage service: the parts of its URL and headers that use cases need. */
export class StorageCall {
  readonly method: string;
  readonly request: Request;
  readonly query: Readonly<Record<string, string>>;
  /** The address that limits apply to. */
  readonly clientAddress: string;
  /** The path after the route, still percent-encoded: the framework's path is already decoded. */
  readonly #rest: string;

  constructor(c: Context<AppEnv>, route: string) {
    this.method = c.req.method;
    this.request = c.req.raw;
    this.query = c.req.query();
    this.clientAddress = c.get('clientAddress');
    const { pathname } = new URL(c.req.url);
    this.#rest = pathname.slice(pathname.indexOf('/storage/v1') + '/storage/v1'.length + route.length);
  }

  /** The object path `bucket/folder/name` after the route. Throws InvalidKey and InvalidBucketName. */
  get path(): ObjectPath {
    return readObjectPath(this.#rest);
  }

  /** The bucket after the route. Throws InvalidBucketName. */
  get bucketId(): string {
    return readBucketPath(this.#rest);
  }

  get upserts(): boolean {
    return this.request.headers.get('x-upsert') === 'true';
  }

  /** Whether the request has an API key or an access token. */
  get hasKey(): boolean {
    const { headers } = this.request;
    return headers.has('authorization') || headers.has('apikey');
  }

  /** Returns the caller. Throws AccessDenied for an invalid token and InvalidRequest where there is no key. */
  async caller(resolveCaller: ResolveCaller): Promise<Caller> {
    const authorization = this.request.headers.get('authorization');
    const apiKey = this.request.headers.get('apikey');
    if (!this.hasKey) throw authorizationMissing();
    const resolved = await resolveCaller(authorization, apiKey);
    if (resolved.ok) return resolved.caller;
    const { reason, cause } = resolved;
    if (reason === 'expired') throw accessDenied('"exp" claim timestamp check failed', cause);
    throw accessDenied(
      cause instanceof ClaimsRefused ? `jwt claims refused: ${cause.message}` : 'jwt malformed',
      cause,
    );
  }
}
