import { expect, type Locator, type Page } from '@playwright/test';

/** More stops than any screen of ours has. */
const MOST_STOPS = 80;

/** Walks with Tab until the focus is on `target`, and sees at each stop where it is. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeEnabled();
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    const { isThere, unseen } = await target.evaluate(lookAtFocus);
    if (stop > 0) expect(unseen, 'what has the focus without a visible mark').toBeNull();
    if (isThere) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The focus never came to ${target}.`);
}

/** Walks to it and presses it. */
export async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Moves the focus to the field with Tab and replaces its text. */
export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

/** Whether the focus is on `target`, and the element whose focus is invisible: null if it is visible or nothing is focused. */
function lookAtFocus(target: Element): { isThere: boolean; unseen: string | null } {
  const { activeElement } = document;
  const isThere = activeElement === target;
  // Focus guards of dialogs return the focus and are never visible.
  if (activeElement === null || activeElement === document.body) return { isThere, unseen: null };
  if (activeElement.hasAttribute('data-base-ui-focus-guard')) return { isThere, unseen: null };
  // A tile's mark is around its label, a field's around itself.
  const isMarked = [activeElement, activeElement.closest('label')].some((element) => {
    if (element === null) return false;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return (
      outlineStyle !== 'none' &&
      Number.parseFloat(outlineWidth) >= 2 &&
      !/^rgba\(.*, 0\)$|transparent/.test(outlineColor)
    );
  });
  const { top, bottom, left, right } = activeElement.getBoundingClientRect();
  const isInWindow = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  return { isThere, unseen: isMarked && isInWindow ? null : activeElement.outerHTML.slice(0, 300) };
}
