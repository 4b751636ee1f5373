/** The id of the part of a page that shows all conversations. As a URL's hash it opens the first with unread messages. */
export const THREADS_ID = 'messages';
