/** Shows a number at the icon of the installed app; 0 shows none. */
export function showAppBadge(count: number): void {
  // Missing in Firefox, and refused where the app is not installed.
  navigator.setAppBadge?.(count).catch(() => {});
}
