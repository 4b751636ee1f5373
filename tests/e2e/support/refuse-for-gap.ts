import type { Page } from '@playwright/test';

/**
 * Refuses requests as the service does within the minute between two messages, of which a development server has none:
 * another is possible in 42 seconds.
 */
export async function refuseForGap(
  page: Page,
  url: string,
  code: 'over_email_send_rate_limit' | 'over_sms_send_rate_limit',
): Promise<void> {
  const message = 'For security purposes, you can only request this after 42 seconds.';
  const headers = { 'X-Supabase-Api-Version': '2024-01-01' };
  await page.route(url, (route) => route.fulfill({ status: 429, headers, json: { code, message } }));
}
