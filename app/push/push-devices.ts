import type { DataClient } from '#app/client/data-client.ts';

/** A browser that receives notifications. Times are ISO 8601. */
export interface PushDevice {
  readonly id: string;
  /** A short description such as "Firefox on Linux". */
  readonly device: string;
  readonly endpoint: string;
  readonly serverKey: string;
  /** Whether its notifications contain the text of messages. */
  readonly showsText: boolean;
  readonly createdAt: string;
  /** Since when it cannot be reached; null where the last attempt succeeded. */
  readonly failingSince: string | null;
  /** When it stopped receiving; null where it did not. */
  readonly endedAt: string | null;
  /** When it was last sent something; null where it never was. */
  readonly attemptedAt: string | null;
  /** The push service's HTTP status of that attempt; null where there was no response. */
  readonly lastStatus: number | null;
}

/** Returns the browsers of the caller that receive notifications, oldest first. Throws the data service's error. */
export async function loadPushDevices(client: DataClient): Promise<PushDevice[]> {
  const { data, error } = await client
    .from('push_subscriptions')
    .select(
      `id, device, endpoint, serverKey:server_key, showsText:shows_text, createdAt:created_at, failingSince:failing_since,
        endedAt:ended_at, attemptedAt:attempted_at, lastStatus:last_status`,
    )
    .order('created_at')
    .overrideTypes<PushDevice[], { merge: false }>();
  if (error) throw error;
  return data;
}

/** Removes a browser. One that is gone already is not an error. Throws the data service's other errors. */
export async function removePushDevice(client: DataClient, id: string): Promise<void> {
  const { error } = await client.from('push_subscriptions').delete().eq('id', id);
  if (error) throw error;
}

/** Changes whether a browser's notifications contain the text of messages. Throws the data service's error. */
export async function showTextInPushes(client: DataClient, id: string, showsText: boolean): Promise<void> {
  const { error } = await client.from('push_subscriptions').update({ shows_text: showsText }).eq('id', id);
  if (error) throw error;
}

/** Sends a test to a browser. Throws the data service's error. */
export async function sendTestPush(client: DataClient, id: string): Promise<void> {
  const { error } = await client.rpc('send_test_push', { subscription_id_param: id });
  if (error) throw error;
}
