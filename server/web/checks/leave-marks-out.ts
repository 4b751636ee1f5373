import type { RequestCheck } from '#server/http/request-checks.ts';

const MARKS_AT_THE_END = /[^\p{Letter}\p{Number}/_-]+$/u;

/**
 * Redirects from an address with the mark of a text at its end to the one before the mark: chat programs take a full stop
 * or a bracket after a link for a part of it. No address of ours ends so. One that begins like another site's is left alone.
 */
export const leaveMarksOut: RequestCheck = (c) => {
  // Fast path: nearly all end in a letter or a digit.
  if (/[a-z0-9]$/i.test(c.req.path) || (c.req.method !== 'GET' && c.req.method !== 'HEAD')) return undefined;
  const { pathname, search } = new URL(c.req.url);
  if (pathname.startsWith('//')) return undefined;
  const at = pathname.lastIndexOf('/') + 1;
  const last = decodeURIComponent(pathname.slice(at));
  const shorter = last.replace(MARKS_AT_THE_END, '');
  if (shorter === last || shorter === '') return undefined;
  return c.redirect(pathname.slice(0, at) + encodeURIComponent(shorter) + search, 302);
};
