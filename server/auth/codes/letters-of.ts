import { letterTexts } from '#domain/texts/letters/letters.ts';
import { type OwnerLetters, ownerLetters } from '#server/languages/letter-language.ts';
import type { AuthService } from '../auth-service.ts';

/** The account that a message goes to. */
type Reader = { readonly userId: string } | { readonly email: string };

/**
 * Returns the letters of an account, in its language. Somebody else may have made the request, whose language counts only
 * where the account has none.
 */
export async function lettersOf(
  { config, language, alone }: Pick<AuthService, 'config' | 'language' | 'alone'>,
  reader: Reader,
): Promise<OwnerLetters> {
  const isById = 'userId' in reader;
  const { rows } = await alone.query<{ language: string | null }>({
    name: isById ? 'auth_language_of_account' : 'auth_language_of_address',
    text: `select language from public.profiles where id = ${
      isById ? '$1' : '(select id from auth.users where email = $1 and deleted_at is null)'
    }`,
    values: [isById ? reader.userId : reader.email],
  });
  const stored = rows[0]?.language ?? null;
  return stored === null ? { language, texts: letterTexts(language) } : ownerLetters(config, stored);
}
