import type { AppClient } from '#app/client/app-client.ts';

/**
 * Returns a device of the caller on which notifications have stopped, such as "Firefox on Linux", or null. The dashboard
 * is worth showing without it, so a failure counts as none.
 */
export async function findStoppedPush(client: AppClient): Promise<string | null> {
  const { data } = await client.from('push_subscriptions').select('device').not('ended_at', 'is', null).limit(1);
  return data?.[0]?.device ?? null;
}
