/** Asks, in the query of the landing page, for the same page as a screen of the app that opens the scanner. */
export const SCAN_QUERY = 'scan';

/** The hash of a screen whose scanner is open. */
export const SCAN_HASH = '#scan';
