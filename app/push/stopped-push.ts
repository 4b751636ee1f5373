import type { DataClient } from '#app/client/data-client.ts';

/** Where notifications have stopped, and what the owner calls it. */
export interface StoppedPush {
  readonly kind: 'device' | 'webhook' | 'ntfy';
  readonly name: string;
}

/**
 * Returns a device of the caller, such as "Firefox on Linux", or else a notice address, on which notifications have
 * stopped; or null. The dashboard is worth showing without it, so a failure counts as none.
 */
export async function findStoppedPush(client: DataClient): Promise<StoppedPush | null> {
  const [devices, addresses] = await Promise.all([
    client.from('push_subscriptions').select('name:device').not('ended_at', 'is', null).limit(1),
    client
      .from('notice_addresses')
      .select('kind, name')
      .not('ended_at', 'is', null)
      .limit(1)
      .overrideTypes<StoppedPush[], { merge: false }>(),
  ]);
  const device = devices.data?.[0];
  if (device !== undefined) return { kind: 'device', name: device.name };
  return addresses.data?.[0] ?? null;
}
