/** POSTs that have one effect however often they arrive. Each of the others could send a second mail, or spend a code. */
const REPEATABLE_POSTS: readonly RegExp[] = [
  // They only read.
  /^\/rest\/v1\/rpc\/(?:find_item|get_qr_code_owner|read_conversation|list_sessions|count_recovery_codes|export_my_data)$/,
  /^\/storage\/v1\/object\/list\//,
  // A code is claimed once.
  /^\/rest\/v1\/rpc\/register_qr_code$/,
  // A second session at worst, which ends by itself.
  /^\/auth\/v1\/token\?grant_type=password$/,
  /^\/auth\/v1\/logout/,
];

/** Methods that mean the same however often they arrive (RFC 9110, section 9.2.2); our PATCHes name the new value. */
const REPEATABLE_METHODS: readonly string[] = ['GET', 'HEAD', 'PATCH', 'DELETE'];

/** Where an owner tags an item and changes it: `untilReached` repeats that, and says meanwhile that it is not saved. */
const ITEMS = '/rest/v1/items';

/**
 * Whether a call may be sent again, unseen, when nobody knows what became of it. What somebody else repeats is not
 * among them: the owner's saves and answers (`until-reached.ts`), and the renewal of a session, which the official
 * client repeats itself, within the 30 seconds of the specification's section 9.
 */
export function isRepeatable(method: string, { pathname, search }: URL): boolean {
  if (method === 'PATCH' && pathname === ITEMS) return false;
  if (method === 'POST') return REPEATABLE_POSTS.some((post) => post.test(pathname + search) || post.test(pathname));
  if (method === 'PUT') return pathname.startsWith('/storage/');
  return REPEATABLE_METHODS.includes(method);
}
