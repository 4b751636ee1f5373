import type { Page } from '@playwright/test';

/**
 * Counts the subscriptions to messages that the server has confirmed to the page from now on. A screen subscribes after
 * all else, so on a slow machine a message can come before; such a message is counted, but no notice announces it.
 *
 * @example
 * const subscriptions = countSubscriptions(page);
 * await page.goto('/dashboard');
 * await expect.poll(subscriptions).toBe(1);
 */
export function countSubscriptions(page: Page): () => number {
  let confirmed = 0;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (payload.includes('Subscribed to PostgreSQL')) confirmed += 1;
    }),
  );
  return () => confirmed;
}
