import type { AppClient } from '#app/client/app-client.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import { loadPushDevices, removePushDevice } from '#app/push/push-devices.ts';
import { hasPushMark, setPushMark } from './push-mark.ts';
import { readPushSupport } from './push-support.ts';

/** The user refused notifications in the browser's own dialog, or has done so before. */
export class PushDenied extends Error {
  override name = 'PushDenied';
}

/**
 * Asks for notifications and subscribes this browser, for the account. Call it from a click, because browsers ignore the
 * request otherwise.
 *
 * @throws PushDenied where the user refuses; another error where the browser or the server does.
 */
export async function turnOnPush(userId: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushDenied();
  const subscription = await subscribe(await findForm({ install: true }));
  await save(await browserClient(), subscription);
  setPushMark({ userId });
}

/** Ends the subscription of this browser, here and on the server, where it has the id. */
export async function turnOffPush(id: string): Promise<void> {
  await removePushDevice(await browserClient(), id);
  setPushMark(null);
  const form = await findForm({ install: false });
  await (await form?.getSubscription())?.unsubscribe();
}

/** Returns the endpoint of this browser, or null where it has none. */
export async function readEndpoint(): Promise<string | null> {
  try {
    const form = await findForm({ install: false });
    return (await form?.getSubscription())?.endpoint ?? null;
  } catch {
    return null;
  }
}

/**
 * Subscribes this browser again where the account turned on notifications in it and they have stopped: after a new
 * sign-in, a new key of the server, or by the push service.
 */
export async function renewPush(userId: string): Promise<void> {
  const config = readPublicConfig();
  if (!hasPushMark(userId) || readPushSupport(config) !== 'available' || Notification.permission !== 'granted') return;
  const client = await browserClient();
  const endpoint = await readEndpoint();
  const device = (await loadPushDevices(client)).find((one) => one.endpoint === endpoint);
  if (device !== undefined && device.endedAt === null && device.serverKey === config.pushKey) return;
  const form = await findForm({ install: true });
  // The push service does not know it any more.
  if (device?.endedAt != null) await (await form?.getSubscription())?.unsubscribe();
  await save(client, await subscribe(form));
}

async function save(client: AppClient, { endpoint, p256dh, auth }: Subscribed): Promise<void> {
  const { error } = await client.rpc('save_push_subscription', {
    endpoint_param: endpoint,
    p256dh_param: p256dh,
    auth_param: auth,
    server_key_param: readPublicConfig().pushKey,
  });
  if (error) throw error;
}

interface Subscribed {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

async function subscribe(form: PushManager | null): Promise<Subscribed> {
  const { pushKey } = readPublicConfig();
  if (form === null || pushKey === null) throw new Error('This browser has no pushes.');
  const existing = await form.getSubscription();
  const isOfThisServer = existing !== null && inBase64Url(existing.options.applicationServerKey) === pushKey;
  if (existing !== null && !isOfThisServer) await existing.unsubscribe();
  const subscription =
    existing !== null && isOfThisServer
      ? existing
      : await form.subscribe({ userVisibleOnly: true, applicationServerKey: fromBase64Url(pushKey) });
  return {
    endpoint: subscription.endpoint,
    p256dh: inBase64Url(subscription.getKey('p256dh')),
    auth: inBase64Url(subscription.getKey('auth')),
  };
}

/**
 * The browser's own where it shows declarative pushes, which the types of documents do not know yet, else the service
 * worker's. Null without one.
 */
async function findForm({ install }: { readonly install: boolean }): Promise<PushManager | null> {
  const { pushManager } = globalThis as { readonly pushManager?: PushManager };
  if (pushManager !== undefined) return pushManager;
  if (!('serviceWorker' in navigator)) return null;
  if (!install) return (await navigator.serviceWorker.getRegistration())?.pushManager ?? null;
  await navigator.serviceWorker.register('/service-worker.js');
  return (await navigator.serviceWorker.ready).pushManager;
}

function inBase64Url(bytes: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer()));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}
