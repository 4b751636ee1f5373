import type { Config } from '#server/config.ts';
import type { Delivery } from './delivery.ts';

/**
 * Whether the code of a sign-up goes to the phone in it. A server that hides which addresses have accounts always
 * writes to the address: an SMS that comes, or does not come, to a stranger's own phone would tell.
 */
export function codesGoBySms(
  delivery: Pick<Delivery, 'hasSms'>,
  config: Pick<Config, 'hideAccountExistence'>,
): boolean {
  return delivery.hasSms && !config.hideAccountExistence;
}
