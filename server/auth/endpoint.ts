import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { requestLanguage } from '#server/http/request-language.ts';
import { ownerLanguage } from '#server/languages/owner-language.ts';
import type { AuthService } from './auth-service.ts';

/** Serves one method of one path. */
export type Endpoint = (service: AuthService, c: Context<AppEnv>) => Promise<Response>;

/**
 * Returns handlers that run an endpoint in the language of its request, which is also that of the messages it sends.
 * Responses are not cached: each concerns one user or contains their tokens.
 */
export function handlersOf(service: AuthService) {
  return (endpoint: Endpoint) =>
    async (c: Context<AppEnv>): Promise<Response> => {
      c.header('Cache-Control', 'no-store');
      const language = await (service.languages === undefined
        ? ownerLanguage(c, service.config)
        : requestLanguage(c, service.languages));
      return endpoint(language === service.language ? service : { ...service, language }, c);
    };
}
