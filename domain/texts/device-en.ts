/** Names a device in the list of sessions and in mails; null for an unknown part. */
export function deviceEn(browser: string | null, system: string | null): string {
  if (browser !== null && system !== null) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}
