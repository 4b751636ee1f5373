import { loadPart } from '#app/ui/load-part.ts';
import type { SignInTexts } from '#domain/texts/sign-in-texts.ts';

/**
 * Returns the number in a form with a `PhoneField`, in E.164, or null where it is incomplete. The first call fetches
 * the metadata of all countries.
 */
export async function readTypedPhone(form: {
  readonly phone: string;
  readonly country: string;
}): Promise<string | null> {
  const { toE164 } = await loadPart(() => import('./phone-countries.ts'));
  return toE164(form.phone, form.country);
}

/** The `check` of a form whose only field is a `PhoneField`. */
export async function checkTypedPhone(
  form: { readonly phone: string; readonly country: string },
  { auth, validation }: Pick<SignInTexts, 'auth' | 'validation'>,
): Promise<{ phone?: string }> {
  if (form.phone.trim() === '') return { phone: validation.phoneRequired };
  return (await readTypedPhone(form)) === null ? { phone: auth.phoneInvalid } : {};
}
