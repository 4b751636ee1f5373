import type { AppClient } from '#app/client/app-client.ts';

/** Where notifications have stopped: what the owner calls it, and the part of the profile that shows it. */
export interface StoppedPush {
  readonly name: string;
  readonly section: 'notifications' | 'addresses';
}

/**
 * Returns a device of the caller, such as "Firefox on Linux", or else a notice address, on which notifications have
 * stopped; or null. The dashboard is worth showing without it, so a failure counts as none.
 */
export async function findStoppedPush(client: AppClient): Promise<StoppedPush | null> {
  const [devices, addresses] = await Promise.all([
    client.from('push_subscriptions').select('device').not('ended_at', 'is', null).limit(1),
    client.from('notice_addresses').select('name').not('ended_at', 'is', null).limit(1),
  ]);
  const device = devices.data?.[0]?.device;
  if (device !== undefined) return { name: device, section: 'notifications' };
  const name = addresses.data?.[0]?.name;
  return name === undefined ? null : { name, section: 'addresses' };
}
