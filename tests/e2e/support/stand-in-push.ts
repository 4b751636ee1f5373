import { createECDH, randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';

export interface StandInPush {
  /** What the user has decided, or decides when asked; `default` for neither. */
  readonly permission: NotificationPermission;
  /** What the user decides when asked. */
  readonly decision?: NotificationPermission;
  /** The browser cannot reach its push service. */
  readonly isUnreachable?: true;
}

/** Returns a subscription as a browser has it, at a push service that does not exist. */
export function newSubscription() {
  const keys = createECDH('prime256v1');
  return {
    endpoint: `https://push.example.com/${randomBytes(16).toString('hex')}`,
    p256dh: keys.generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
}

/**
 * Gives the page the form of Web Push that Safari has (`window.pushManager`), with a subscription that lasts as long as
 * the tab. A test machine reaches no push service, so no real browser can subscribe there.
 */
export async function standInPush(page: Page, standIn: StandInPush): Promise<void> {
  await page.addInitScript(
    ({ permission, decision, isUnreachable, given }) => {
      const decided = 'stand-in-permission';
      const current = () => (sessionStorage.getItem(decided) as NotificationPermission | null) ?? permission;
      Object.defineProperty(Notification, 'permission', { get: current });
      Notification.requestPermission = async () => {
        if (current() === 'default' && decision !== undefined) sessionStorage.setItem(decided, decision);
        return current();
      };
      const bytesOf = (text: string) =>
        Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0)).buffer;
      const key = 'stand-in-push';
      const subscription = (applicationServerKey: ArrayBuffer | null) => ({
        endpoint: given.endpoint,
        options: { applicationServerKey },
        getKey: (name: 'p256dh' | 'auth') => bytesOf(given[name]),
        unsubscribe: async () => sessionStorage.removeItem(key) === undefined,
      });
      const pushManager = {
        async getSubscription() {
          const stored = sessionStorage.getItem(key);
          return stored === null ? null : subscription(new Uint8Array(JSON.parse(stored)).buffer);
        },
        async subscribe({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) {
          if (isUnreachable === true) throw new DOMException('Registration failed', 'AbortError');
          sessionStorage.setItem(key, JSON.stringify([...applicationServerKey]));
          return subscription(applicationServerKey.buffer);
        },
      };
      Object.defineProperty(globalThis, 'pushManager', { value: pushManager });
    },
    { ...standIn, given: newSubscription() },
  );
}
