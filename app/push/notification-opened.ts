/** What the service worker posts to a tab whose notification was opened. */
export const NOTIFICATION_OPENED = 'notification-opened';
