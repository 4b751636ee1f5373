import type { Page } from '@playwright/test';
import axe, { type RunOnly } from 'axe-core';

/**
 * What on the page breaks a rule of accessibility, in words that a failing test can show. Without `only`, all rules that
 * axe has by itself; what stands in frames is not looked at.
 */
export async function brokenRules(page: Page, only?: RunOnly): Promise<string[]> {
  // Said to a page as text, it is there whatever the page's policy allows; once for each document.
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
