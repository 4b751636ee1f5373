import type { MiddlewareHandler } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { refusalOf } from '../sessions/require-session.ts';
import { AuthError } from '../wire/auth-error.ts';

/**
 * Requires the secret key or a token of the role `service_role`. Metadata never grants an account rights over others.
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
