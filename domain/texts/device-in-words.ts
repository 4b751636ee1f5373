import { BROWSERS, SYSTEMS, UNKNOWN_DEVICE } from '../account/describe-device.ts';
import type { ChangesWords } from '../words/compiled/types.ts';

const has = (names: typeof BROWSERS, name: string) => names.some(([, known]) => known === name);

/**
 * Returns the stored name of a device (`describeDevice`) in a reader's language, such as "Firefox auf Linux". The names
 * of browsers and systems stay as they are, and so does a name that the owner chose.
 */
export function deviceInWords(stored: string, { devices }: Pick<ChangesWords, 'devices'>): string {
  if (stored === UNKNOWN_DEVICE) return devices.unknown;
  const [browser = '', system = ''] = stored.split(' on ');
  const isDescribed = stored === `${browser} on ${system}` && has(BROWSERS, browser) && has(SYSTEMS, system);
  return isDescribed ? devices.browserOn({ browser, system }) : stored;
}
