import type { PublicConfig } from '#app/client/request-context.ts';

/**
 * Whether this browser can receive notifications, or why not: the server sends none; on an iPhone or iPad the app must be
 * on the home screen first; the browser cannot; it needs the service worker that the operator has disabled; the user has
 * refused.
 */
export type PushSupport = 'available' | 'server-off' | 'install-first' | 'unsupported' | 'needs-worker' | 'denied';

/** What decides it. */
export interface PushSurroundings {
  readonly hasServerKey: boolean;
  /** Whether the operator allows the service worker. */
  readonly mayHaveWorker: boolean;
  /** Null where the browser has no notifications. */
  readonly permission: NotificationPermission | null;
  /** Whether a service worker can receive pushes. */
  readonly hasWorkerPush: boolean;
  /** Whether the browser shows declarative pushes by itself. */
  readonly hasDeclarativePush: boolean;
  /** A tab of an iPhone or iPad. */
  readonly isTabOnIos: boolean;
}

export function judgePushSupport(around: PushSurroundings): PushSupport {
  const { permission, hasWorkerPush, hasDeclarativePush } = around;
  if (!around.hasServerKey) return 'server-off';
  if (permission === null || !(hasWorkerPush || hasDeclarativePush)) {
    return around.isTabOnIos ? 'install-first' : 'unsupported';
  }
  if (!around.mayHaveWorker && !hasDeclarativePush) return 'needs-worker';
  return permission === 'denied' ? 'denied' : 'available';
}

/** Returns whether this browser can receive notifications. Only in the browser. */
export function readPushSupport({ pushKey, offlinePage }: Pick<PublicConfig, 'pushKey' | 'offlinePage'>): PushSupport {
  return judgePushSupport({
    hasServerKey: pushKey !== null,
    mayHaveWorker: offlinePage,
    permission: 'Notification' in globalThis ? Notification.permission : null,
    hasWorkerPush: 'serviceWorker' in navigator && 'PushManager' in globalThis,
    hasDeclarativePush: 'pushManager' in globalThis,
    // Only browsers of iOS and iPadOS have this property.
    isTabOnIos: 'standalone' in navigator && navigator.standalone === false,
  });
}
