/**
 * The query parameter that requests the app at an item's URL instead of the finder's document: for a signed-in browser
 * without cookies, which the server cannot recognize.
 */
export const APP_QUERY = 'app';
