import type { Context } from 'hono';
import type { ResolveCaller, ResolvedCaller } from '#server/tokens/resolve-caller.ts';
import type { AppEnv } from './app-env.ts';
import type { RequestCheck } from './request-checks.ts';

/** Endpoints opened by links or forms, which cannot send a key, and public information. */
const OPEN: Readonly<Record<string, RegExp>> = {
  GET: /^\/auth\/v1\/(?:verify|authorize|callback|health|\.well-known\/jwks\.json)$|^\/storage\/v1\/(?:object|object\/info|render\/image)\/(?:public|sign)\//,
  // Some providers let the browser post the authorization response.
  POST: /^\/auth\/v1\/callback$/,
  PUT: /^\/storage\/v1\/object\/upload\/sign\//,
};

/**
 * Rejects an API request without a key or token, as the gateways of this protocol do. The services themselves validate
 * tokens.
 */
export function requireApiKey(resolveCaller: ResolveCaller): RequestCheck {
  return (c) => {
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
    if (method === 'OPTIONS' || OPEN[method]?.test(c.req.path)) return undefined;
    const key = c.req.header('apikey') ?? c.req.query('apikey') ?? c.req.header('x-api-key') ?? null;
    if (key) {
      const resolved = resolveCaller(null, key);
      return resolved instanceof Promise ? resolved.then((late) => refuse(c, late)) : refuse(c, resolved);
    }
    const bearer = c.req.header('authorization') ?? null;
    return bearer === null ? c.json({ message: 'No API key found in request' }, 401) : undefined;
  };
}

function refuse(c: Context<AppEnv>, { ok }: ResolvedCaller): Response | undefined {
  return ok ? undefined : c.json({ message: 'Invalid API key' }, 401);
}
