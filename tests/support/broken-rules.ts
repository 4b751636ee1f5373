import type { Page } from '@playwright/test';
import axe, { type RunOnly } from 'axe-core';

/** The rules for screens. */
export const SCREEN_RULES: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

/**
 * Returns the accessibility violations of the page, readable in a failing test. Without `only`, all of axe's default
 * rules run. Frames are not checked.
 */
export async function brokenRules(page: Page, only?: RunOnly): Promise<string[]> {
  // Evaluated as text, axe loads whatever the page's policy allows; once per document.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (runOnly) => {
    const inPage = (window as unknown as { axe: Pick<typeof axe, 'run'> }).axe;
    const options = { resultTypes: ['violations' as const], selectors: false, ...(runOnly && { runOnly }) };
    return (await inPage.run(options)).violations;
  }, only);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}
