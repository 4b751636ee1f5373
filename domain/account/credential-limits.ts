/** The longest name of a passkey or a second factor, in characters. The database has the same bound. */
export const CREDENTIAL_NAME_LENGTH = 120;

/** How many passkeys an account may have. */
export const MOST_PASSKEYS = 10;
