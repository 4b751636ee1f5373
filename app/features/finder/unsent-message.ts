/** A message that was sent and not yet confirmed. */
export interface UnsentMessage {
  readonly id: string;
  /** Under which its conversation is, if it is the first of one. */
  readonly finderKey: string;
  readonly body: string;
}

const nameOf = (form: HTMLFormElement) => `unsent ${form.action}`;

/** Keeps it through a reload of this tab, until `null` says that it is through. */
export function keepUnsent(form: HTMLFormElement, message: UnsentMessage | null): void {
  try {
    if (message === null) sessionStorage.removeItem(nameOf(form));
    else sessionStorage.setItem(nameOf(form), JSON.stringify(message));
  } catch {
    // A browser without storage forgets it at a reload.
  }
}

/** What an earlier load of this tab could not confirm, or null. */
export function readUnsent(form: HTMLFormElement): UnsentMessage | null {
  try {
    // Written above, by this very page.
    return JSON.parse(sessionStorage.getItem(nameOf(form)) ?? 'null') as UnsentMessage | null;
  } catch {
    return null;
  }
}
