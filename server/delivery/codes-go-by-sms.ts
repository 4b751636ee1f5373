import type { Config } from '#server/config.ts';
import type { Delivery } from './delivery.ts';

/**
 * Whether the code of a sign-up goes to its phone number. A server that hides which addresses have accounts always uses
 * email: an SMS that arrives, or does not, would reveal it to the registering client.
 */
export function codesGoBySms(
  delivery: Pick<Delivery, 'hasSms'>,
  config: Pick<Config, 'hideAccountExistence'>,
): boolean {
  return delivery.hasSms && !config.hideAccountExistence;
}
