import type { Page } from '@playwright/test';

/** Opens a row of an item's page where it is closed. Its button is named by its title and by what is inside. */
export async function openRow(page: Page, name: 'Stickers' | 'How finders can reach you' | 'Give away'): Promise<void> {
  const row = page.getByRole('button', { name: new RegExp(`^${name}`) });
  if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
}
