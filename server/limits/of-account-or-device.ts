/**
 * The key of a counter of an account, or of one of its known devices. An attacker who knows the password uses up the
 * account's counter, never that of a device.
 */
export function ofAccountOrDevice(account: string, knownDevice: string | null): string {
  return knownDevice === null ? account : `${account} ${knownDevice}`;
}
