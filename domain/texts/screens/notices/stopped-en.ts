/** What no longer takes what we send to an owner, in English. It is loaded by the dashboards that show it. */
export const stoppedEn = {
  device: (name: string) => `${name} no longer gets notifications.`,
  webhook: (name: string) => `Your webhook “${name}” stopped accepting our messages.`,
  ntfy: (name: string) => `Your ntfy topic “${name}” stopped accepting our messages.`,
  see: 'See why',
};
