import { readPublicConfig } from '#app/client/read-public-config.ts';

const key = () => `${readPublicConfig().storagePrefix}_skipped_visit`;

/** Whether the owner skipped naming this item in this browser. */
export function isVisitSkipped(itemId: string): boolean {
  try {
    return localStorage.getItem(key()) === itemId;
  } catch {
    return false;
  }
}

/** Stores that the owner skipped it, in place of the item before. */
export function skipVisit(itemId: string): void {
  try {
    localStorage.setItem(key(), itemId);
  } catch {
    // Without storage it is shown again on the next visit.
  }
}
