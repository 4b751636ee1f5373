import { readPublicConfig } from '#app/client/read-public-config.ts';

/** Says in a browser that an account does not want to be asked there. */
const LATER = 'later';

const key = () => `${readPublicConfig().storagePrefix}_push`;

/** Whether this account turned on notifications in this browser. */
export function hasPushMark(userId: string): boolean {
  return readMark() === userId;
}

/** Whether notifications were neither turned on nor put off in this browser. */
export function mayOfferPush(): boolean {
  return readMark() === null;
}

/** Stores that an account turned on notifications, or that none wants to be asked; null for neither. */
export function setPushMark(mark: { readonly userId: string } | typeof LATER | null): void {
  try {
    if (mark === null) localStorage.removeItem(key());
    else localStorage.setItem(key(), mark === LATER ? LATER : mark.userId);
  } catch {
    // Without storage the browser is asked again, and subscriptions are not renewed.
  }
}

function readMark(): string | null {
  try {
    return localStorage.getItem(key());
  } catch {
    return LATER;
  }
}
