import { expect, type Locator, type Page } from '@playwright/test';

/** More stops than any screen of ours has. */
const MOST_STOPS = 80;

/** Walks with Tab until the focus is on `target`, and sees at each stop where it is. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeEnabled();
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
    expect(await page.evaluate(unseenFocus), 'what has the focus without a visible mark').toBeNull();
  }
  throw new Error(`The focus never came to ${target}.`);
}

/** Walks to it and presses it. */
export async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Walks to it and types in place of what stands in it. */
export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

/** What has the focus, where nothing shows that it has; null where it is seen, or on its way around the page. */
function unseenFocus(): string | null {
  const { activeElement } = document;
  // Dialogs lead the focus back into themselves by elements that nobody stops at.
  if (activeElement === null || activeElement === document.body) return null;
  if (activeElement.hasAttribute('data-base-ui-focus-guard')) return null;
  // A tile's mark is around its label, a field's around itself.
  const isMarked = [activeElement, activeElement.closest('label')].some((element) => {
    if (element === null) return false;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && !/, 0\)$|transparent/.test(outlineColor);
  });
  const { top, bottom, left, right } = activeElement.getBoundingClientRect();
  const isInWindow = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  return isMarked && isInWindow ? null : activeElement.outerHTML.slice(0, 300);
}
