/** A message that is not delivered yet. */
export interface UnsentMessage {
  readonly body: string;
  /** Where the item is, as typed. */
  readonly place?: string;
  /** Set from sending until confirmation: a retry with the same id does not create a second message. */
  readonly sent?: {
    readonly id: string;
    /** The key of its conversation, if it is the first message. */
    readonly finderKey: string;
    readonly fields: Readonly<Record<string, string>>;
  };
}

const nameOf = (form: HTMLFormElement) => `unsent ${form.action}`;

/** Keeps the message for this tab across reloads and navigation; `null` removes it. */
export function keepUnsent(form: HTMLFormElement, message: UnsentMessage | null): void {
  try {
    if (message === null) sessionStorage.removeItem(nameOf(form));
    else sessionStorage.setItem(nameOf(form), JSON.stringify(message));
  } catch {
    // Without storage the browser forgets it at a reload.
  }
}

/** Returns the message that an earlier load of this page left in this tab, or null. */
export function readUnsent(form: HTMLFormElement): UnsentMessage | null {
  try {
    // Written above, by this page.
    return JSON.parse(sessionStorage.getItem(nameOf(form)) ?? 'null') as UnsentMessage | null;
  } catch {
    return null;
  }
}
