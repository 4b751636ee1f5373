import type { AuthServiceOptions } from '#server/auth/auth-service.ts';

/** For files that ask for many answers which must not tell by their time, and do not look at the time. */
export const ANSWERING_SOONER: AuthServiceOptions = { uniformAnswerMs: 120 };
