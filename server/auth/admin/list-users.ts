import type { Context } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { AUDIENCE } from '#server/tokens/token-keys.ts';
import { toUserObject } from '../accounts/user.ts';
import { AuthError } from '../wire/auth-error.ts';
import { countUsers, listUsers as listUserRows, type UserListing } from './admin-queries.ts';

const USUAL_PAGE = 50;
const LARGEST_PAGE = 1_000;

/**
 * `GET /admin/users`: returns a page of accounts, newest first. The headers carry the total and the links to other
 * pages.
 */
export async function listUsers(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const page = readNumber(c.req.query('page'), 1, 1_000_000);
  const perPage = readNumber(c.req.query('per_page'), USUAL_PAGE, LARGEST_PAGE);
  const filter = c.req.query('filter') ?? '';
  if (filter.includes('\0')) throw new AuthError('fieldMalformed', { detail: 'Text must not hold NUL' });
  const order = readOrder(c.req.query('sort') ?? '');
  const [total, users] = await Promise.all([
    countUsers(service.alone, filter),
    listUserRows(service.alone, { filter, order, limit: perPage, offset: (page - 1) * perPage }),
  ]);
  c.header('X-Total-Count', String(total));
  c.header(
    'Link',
    describeLinks({ page, perPage, last: Math.max(1, Math.ceil(total / perPage)), query: c.req.query() }),
  );
  return c.json({ users: users.map(toUserObject), aud: AUDIENCE });
}

/** The official client sends an empty string for an omitted option. */
function readNumber(text: string | undefined, usual: number, most: number): number {
  if (text === undefined || text === '') return usual;
  const number = /^[0-9]{1,7}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most) throw new AuthError('pageMalformed', { detail: `from 1 to ${most}` });
  return number;
}

function readOrder(text: string): UserListing['order'] {
  const [, order = 'desc'] = /^(?:created_at(?: (asc|desc))?)?$/i.exec(text) ?? [undefined, 'none'];
  if (order === 'none') throw new AuthError('sortUnknown');
  return order.toLowerCase() === 'asc' ? 'asc' : 'desc';
}

interface PageLinks {
  readonly page: number;
  readonly perPage: number;
  readonly last: number;
  readonly query: Readonly<Record<string, string>>;
}

/** `page` must be the first key of the query: the official client reads what follows the first equals sign. */
function describeLinks({ page, perPage, last, query }: PageLinks): string {
  const { filter = '', sort = '' } = query;
  const link = (number: number, rel: string) => {
    const search = new URLSearchParams({ page: String(number), per_page: String(perPage) });
    if (filter !== '') search.set('filter', filter);
    if (sort !== '') search.set('sort', sort);
    return `</admin/users?${search}>; rel="${rel}"`;
  };
  return [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', ');
}
