/**
 * How long browsers keep the cookie of a device, and the database the device, in days. The longest that browsers allow
 * (RFC 6265bis, section 5.5).
 */
export const DEVICE_DAYS = 400;
/** How long browsers keep a finder's key after the last message: enough for an item to be returned, in days. */
export const FINDER_KEY_DAYS = 90;
/** How long a finder's email address waits for its proof, in hours. */
export const FINDER_PROOF_HOURS = 24;
/** How long a report to the operator is kept, in days: after it was closed, and at most. */
export const CLOSED_REPORT_DAYS = 30;
export const REPORT_DAYS = 180;
/** The longest time from the request for a sign-in with a provider to the return from it, in seconds. */
export const PROVIDER_VISIT_SECONDS = 600;
/** How long a push subscription that has ended is kept, for its owner to see, in days. */
export const ENDED_PUSH_DAYS = 30;
/** How long an offer of an item is open, in days. The database sets it. */
export const OFFER_DAYS = 14;
/**
 * How long an offer is kept after its last day, and the record of an item that was given away and has no conversations
 * after that, in days.
 */
export const ENDED_OFFER_DAYS = 90;
/** How long a second contact who did not respond to the invitation is kept, in days. */
export const CONTACT_INVITATION_DAYS = 30;
/** How long a second contact who left is kept, so that the owner does not invite them again at once, in days. */
export const LEFT_CONTACT_DAYS = 30;

/** How long a browser keeps the language that its visitor chose. */
export const LANGUAGE_DAYS = 365;

/** A session ends after this time without use, in days. It is long because owners open the service perhaps once in months. */
export const SESSION_DAYS = 180;
/** An unconfirmed account is deleted this long after its last registration or code, in days. */
export const UNCONFIRMED_ACCOUNT_DAYS = 30;
/** An anonymous account without data is deleted after this time without use, in days. */
export const ANONYMOUS_ACCOUNT_DAYS = 30;
