/**
 * The number in a form with a `PhoneField`, in E.164; null where it is not complete. The metadata of all countries is
 * fetched with the first call.
 */
export async function readTypedPhone(form: {
  readonly phone: string;
  readonly country: string;
}): Promise<string | null> {
  const { toE164 } = await import('./phone-countries.ts');
  return toE164(form.phone, form.country);
}
