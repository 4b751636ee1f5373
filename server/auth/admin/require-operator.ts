import type { MiddlewareHandler } from 'hono';
import { AuthError } from '#server/auth/auth-error.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import { refusalOf } from '#server/auth/require-session.ts';
import type { AppEnv } from '#server/http/app-env.ts';

/**
 * Lets through whoever holds the secret key or a token of the role `service_role`, and nobody else: no account has
 * rights over others, whatever stands in its metadata.
 */
export function requireOperator({ resolveCaller }: Pick<AuthService, 'resolveCaller'>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const authorization = c.req.header('authorization') ?? null;
    const apiKey = c.req.header('apikey') ?? null;
    if (authorization === null && apiKey === null) throw new AuthError('noBearer');
    const resolved = await resolveCaller(authorization, apiKey);
    if (!resolved.ok) throw refusalOf(resolved);
    if (resolved.caller.role !== 'service_role') throw new AuthError('notOperator');
    await next();
  };
}
