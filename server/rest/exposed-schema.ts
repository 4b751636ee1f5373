/** The schema whose tables, views and functions callers may name. */
export const EXPOSED_SCHEMA = 'public';
