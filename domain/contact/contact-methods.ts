/** The contact methods that lead outside this service. */
export const EXTERNAL_CONTACT_METHODS = ['whatsapp', 'call', 'email'] as const;

/**
 * All contact methods, in the order in which they are shown. A new one begins here, and the compiler names the types, the
 * texts, and the buttons. It does not see the columns in the database and in `select`, the functions that read them, and
 * `CONTACT_TARGETS` of the Content-Security-Policy.
 */
export const CONTACT_METHODS = [...EXTERNAL_CONTACT_METHODS, 'message'] as const;

/** A way to reach an owner: outside this service, or by anonymous message within it. */
export type ContactMethod = (typeof CONTACT_METHODS)[number];

export type ExternalContactMethod = (typeof EXTERNAL_CONTACT_METHODS)[number];

/** The contact methods, and whether each is open for an item. */
export type OpenContactMethods = Readonly<Record<ContactMethod, boolean>>;

export function isExternalContactMethod(text: string): text is ExternalContactMethod {
  return (EXTERNAL_CONTACT_METHODS as readonly string[]).includes(text);
}

/** Resolves the contact methods of an item: its own settings, or its owner's where it has none (null). */
export function openContactMethods(
  own: Readonly<Record<ContactMethod, boolean | null>>,
  account: OpenContactMethods,
): OpenContactMethods {
  return {
    whatsapp: own.whatsapp ?? account.whatsapp,
    call: own.call ?? account.call,
    email: own.email ?? account.email,
    message: own.message ?? account.message,
  };
}

/** Whether a contact method outside this service is open. */
export function leadsOutside(open: OpenContactMethods): boolean {
  return EXTERNAL_CONTACT_METHODS.some((method) => open[method]);
}

/** A summary of the contact methods on the finder's page. */
export type ContactState = 'all' | 'limited' | 'none';

/** `all` where every contact method is open, `none` where none is. */
export function contactState(open: OpenContactMethods): ContactState {
  const count = CONTACT_METHODS.filter((method) => open[method]).length;
  return count === CONTACT_METHODS.length ? 'all' : count === 0 ? 'none' : 'limited';
}
