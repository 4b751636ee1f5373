import { readPublicConfig } from '#app/client/read-public-config.ts';
import { mayOfferPush } from '#app/push/push-mark.ts';
import { readPushSupport } from '#app/push/push-support.ts';

/** What a new owner is asked about the first item, one screen each: what it is, how finders reach them, how they hear of it. */
const STEPS = ['what', 'reach', 'news'] as const;

export type VisitStep = (typeof STEPS)[number];

const STEP_QUERY = 'step';

/** Returns the step that an item's URL names, or null. The first one has the item's own URL. */
export function stepIn(search: string): VisitStep | null {
  const named = new URLSearchParams(search).get(STEP_QUERY);
  return STEPS.find((step) => step === named) ?? null;
}

export function stepPath(qrId: string, step: VisitStep): string {
  return step === 'what' ? `/item/${qrId}` : `/item/${qrId}?${STEP_QUERY}=${step}`;
}

/** Whether two URLs show steps of the same item, so that nothing needs to be loaded anew. */
export function isOtherStep(before: URL, after: URL): boolean {
  if (before.pathname !== after.pathname) return false;
  const isStep = stepIn(before.search) !== null || stepIn(after.search) !== null;
  return isStep && before.search !== after.search;
}

/**
 * Returns the steps that apply. Only in the browser.
 *
 * @param unconfirmedEmail - The account's address, as long as it is not confirmed.
 */
export function visitSteps(unconfirmedEmail: string | null): readonly VisitStep[] {
  const hasNews = unconfirmedEmail !== null || isPushToCome();
  return STEPS.filter((step) => step !== 'news' || hasNews);
}

/** Whether notifications can be turned on here, or once the app is on the home screen. */
function isPushToCome(): boolean {
  const support = readPushSupport(readPublicConfig());
  if (support === 'install-first') return true;
  return support === 'available' && Notification.permission === 'default' && mayOfferPush();
}
