/** Returns the address of the page that sends a link for a new password. `publicUrl` is that of the settings. */
export function resetUrlAt(publicUrl: string): string {
  return `${publicUrl}/auth?mode=reset`;
}
