import type { Delivery, Email } from '#server/delivery/delivery.ts';

/**
 * Sends an e-mail from a job. One that is not accepted is tried again.
 * @throws an error that names no address and no text: it is kept with the job, and logged.
 */
export async function sendFromJob({ delivery }: { readonly delivery: Delivery }, email: Email): Promise<void> {
  try {
    await delivery.sendEmail(email);
  } catch (error) {
    throw new Error(`The e-mail was not accepted${reasonOf(error)}.`);
  }
}

/** A mail server's own words often repeat the address; its codes do not. */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const codes = [
    'code' in error && typeof error.code === 'string' ? error.code : '',
    'responseCode' in error && typeof error.responseCode === 'number' ? String(error.responseCode) : '',
  ].filter((code) => code !== '');
  return codes.length === 0 ? '' : ` (${codes.join(' ')})`;
}
