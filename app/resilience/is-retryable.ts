/** POSTs that are idempotent. Each of the others could send a second mail, or spend a code. */
const REPEATABLE_POSTS: readonly RegExp[] = [
  // They only read.
  /^\/rest\/v1\/rpc\/(?:find_item|get_qr_code_owner|read_conversation|list_sessions|count_recovery_codes|export_my_data)$/,
  /^\/storage\/v1\/object\/list\//,
  // A code can be claimed only once.
  /^\/rest\/v1\/rpc\/register_qr_code$/,
  // A request id is answered once: a repeated call makes nothing.
  /^\/rest\/v1\/rpc\/make_blank_codes$/,
  // At worst it creates a second session, which expires.
  /^\/auth\/v1\/token\?grant_type=password$/,
  /^\/auth\/v1\/logout/,
];

/** Idempotent methods (RFC 9110, section 9.2.2). Our PATCHes set absolute values, so they are idempotent too. */
const REPEATABLE_METHODS: readonly string[] = ['GET', 'HEAD', 'PATCH', 'DELETE'];

/**
 * Where an owner tags and changes items: `retryUntilOnline` retries these requests and shows meanwhile that they are
 * not saved.
 */
const ITEMS = '/rest/v1/items';

/**
 * Whether a request may be retried without the user's notice after its outcome is unknown. Excludes requests that other
 * code retries: the owner's saves and replies (`retry-until-online.ts`), and refreshing a session, which the official
 * client retries itself within the 30 seconds of the specification's section 9.
 */
export function isRetryable(method: string, { pathname, search }: URL): boolean {
  if (method === 'PATCH' && pathname === ITEMS) return false;
  if (method === 'POST') return REPEATABLE_POSTS.some((post) => post.test(pathname + search) || post.test(pathname));
  if (method === 'PUT') return pathname.startsWith('/storage/');
  return REPEATABLE_METHODS.includes(method);
}
