/** In the query of the landing page: opens it in the app, with the scanner. */
export const SCAN_QUERY = 'scan';

/** The hash of a screen whose scanner is open. */
export const SCAN_HASH = '#scan';

/** The hash of the success after tagging while its scanner is open. */
export const NEXT_SCAN_HASH = '#scan-next';
