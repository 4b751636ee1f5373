import type * as Service from '#server/auth/auth-service.ts';

/**
 * The module as it is, except that answers which must not tell by their time go out after 120 ms: for files that ask
 * for many and do not look at the time. For `vi.mock`.
 */
export function answeringSooner(real: typeof Service): typeof Service {
  return {
    ...real,
    createAuthService: (dependencies, options) =>
      real.createAuthService(dependencies, { uniformAnswerMs: 120, ...options }),
  };
}
