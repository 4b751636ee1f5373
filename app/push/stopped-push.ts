import type { AppClient } from '#app/client/app-client.ts';

/**
 * Returns a device of the caller, such as "Firefox on Linux", or else a notice address, on which notifications have
 * stopped; or null. The dashboard is worth showing without it, so a failure counts as none.
 */
export async function findStoppedPush(client: AppClient): Promise<string | null> {
  const [devices, addresses] = await Promise.all([
    client.from('push_subscriptions').select('device').not('ended_at', 'is', null).limit(1),
    client.from('notice_addresses').select('name').not('ended_at', 'is', null).limit(1),
  ]);
  return devices.data?.[0]?.device ?? addresses.data?.[0]?.name ?? null;
}
