/** What no longer takes what we send to an owner, in English. It is loaded by the dashboards that show it. */
export const stoppedEn = {
  device: (name: string) => `${name} no longer gets notifications.`,
  webhook: (name: string) => `Your webhook “${name}” no longer takes our messages.`,
  ntfy: (name: string) => `Your ntfy topic “${name}” no longer takes our messages.`,
  see: 'See why',
};
