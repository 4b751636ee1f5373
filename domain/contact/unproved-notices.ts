/** Number of conversations that are emailed about before the address is confirmed. The address may be another person's. */
export const UNPROVED_NOTICES = 3;
