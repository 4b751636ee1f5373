import { dataClient } from '#app/client/browser-client.ts';
import { loadPushDevices, type PushDevice } from '#app/push/push-devices.ts';
import { readEndpoint } from '#app/push/this-device.ts';

/** What the settings of notifications show. */
export interface PushSettings {
  readonly devices: readonly PushDevice[];
  /** The endpoint of this browser, by which its device is recognized. */
  readonly endpoint: string | null;
}

/** Returns what the settings show. Throws the data service's error. */
export async function loadPushSettings(): Promise<PushSettings> {
  const [devices, endpoint] = await Promise.all([loadPushDevices(await dataClient()), readEndpoint()]);
  return { devices, endpoint };
}
