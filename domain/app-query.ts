/**
 * In the query of an item's address it asks for the app where the finder's document would be sent: for a browser that
 * is signed in and keeps no cookies, so that the server cannot tell.
 */
export const APP_QUERY = 'app';
