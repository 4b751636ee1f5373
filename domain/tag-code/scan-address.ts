/** The hash of a screen whose scanner is open. */
export const SCAN_HASH = '#scan';

/** The hash of the success after tagging while its scanner is open. */
export const NEXT_SCAN_HASH = '#scan-next';

/** The hash of an item's URL that the address of its sticker led to. */
export const SCANNED_HASH = '#scanned';
