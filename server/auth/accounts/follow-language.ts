import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { askedOwnerTag, chosenOwnerTag } from '#server/languages/owner-language.ts';
import type { AuthService } from '../auth-service.ts';

/**
 * Has an account written to in the language that its owner chose in this browser. What a browser only asks for counts for an
 * account without a language.
 */
export async function followLanguage(
  { alone }: Pick<AuthService, 'alone'>,
  c: Context<AppEnv>,
  userId: string,
): Promise<void> {
  const chosen = chosenOwnerTag(c);
  const language = chosen ?? askedOwnerTag(c);
  if (language === null) return;
  await alone.query({
    name: 'auth_follow_language',
    text: 'update public.profiles set language = $2 where id = $1 and (language is null or $3 and language <> $2)',
    values: [userId, language, chosen !== null],
  });
}
