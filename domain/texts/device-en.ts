/** How a device is named to its owner in the list of sessions and in mails; null for what is not known of it. */
export function deviceEn(browser: string | null, system: string | null): string {
  if (browser !== null && system !== null) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}
