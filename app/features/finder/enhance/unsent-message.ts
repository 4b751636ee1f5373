/** A message that the owner does not have yet. */
export interface UnsentMessage {
  readonly body: string;
  /** Set once it was sent and until that is confirmed: sending it again under the same id makes no second message. */
  readonly sent?: {
    readonly id: string;
    /** The key of its conversation, if it is the first of one. */
    readonly finderKey: string;
  };
}

const nameOf = (form: HTMLFormElement) => `unsent ${form.action}`;

/** Keeps the message for this tab while the finder reloads or looks at another page. `null` forgets it. */
export function keepUnsent(form: HTMLFormElement, message: UnsentMessage | null): void {
  try {
    if (message === null) sessionStorage.removeItem(nameOf(form));
    else sessionStorage.setItem(nameOf(form), JSON.stringify(message));
  } catch {
    // A browser without storage forgets it at a reload.
  }
}

/** The message that an earlier load of this page in this tab left behind, or null. */
export function readUnsent(form: HTMLFormElement): UnsentMessage | null {
  try {
    // Written above, by this very page.
    return JSON.parse(sessionStorage.getItem(nameOf(form)) ?? 'null') as UnsentMessage | null;
  } catch {
    return null;
  }
}
