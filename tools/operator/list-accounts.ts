import type { User } from '@supabase/supabase-js';
import type { ServiceConnection } from './connect-to-service.ts';
import { refusal, unreachable } from './or-throw.ts';

export interface AccountPage {
  readonly users: readonly User[];
  readonly total: number;
}

/** Returns a page of accounts, newest first. Uses fetch, because the official client does not support the filter. */
export async function listAccounts(
  service: Pick<ServiceConnection, 'url' | 'secretKey'>,
  { filter, page, perPage }: { readonly filter: string; readonly page: number; readonly perPage: number },
): Promise<AccountPage> {
  const { url, secretKey } = service;
  const query = new URLSearchParams({ page: String(page), per_page: String(perPage), filter });
  const response = await fetch(`${url}/auth/v1/admin/users?${query}`, {
    headers: { apikey: secretKey, 'X-Supabase-Api-Version': '2024-01-01' },
  }).catch((cause: unknown) => {
    throw unreachable(service, cause);
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok || !isPage(body)) {
    throw refusal(
      service,
      response.status,
      isRefusal(body) ? body.message : `status ${response.status}, and no accounts.`,
    );
  }
  return { users: body.users, total: Number(response.headers.get('x-total-count')) };
}

function isPage(body: unknown): body is { users: User[] } {
  return typeof body === 'object' && body !== null && 'users' in body && Array.isArray(body.users);
}

function isRefusal(body: unknown): body is { message: string } {
  return typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';
}
