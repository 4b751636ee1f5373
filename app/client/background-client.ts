import type { AppClient } from './app-client.ts';
import { browserClient } from './browser-client.ts';

/**
 * As `browserClient`, for what runs in the background. Where a file is gone after an update, it rejects; `browserClient`
 * would load the document again, and take away the page that the user is on.
 */
export async function backgroundClient(): Promise<AppClient> {
  await import('./app-client.ts');
  return browserClient();
}
