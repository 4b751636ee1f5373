/** Number of emails about messages sent before the address is confirmed. The address may be another person's. */
export const UNPROVED_NOTICES = 3;
