import type { AuthError } from '@supabase/supabase-js';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from './connect-to-service.ts';

type Answer<Data> =
  | { readonly data: Data; readonly error: null }
  | { readonly data: unknown; readonly error: AuthError };

/** What the client brought. Throws an OperatorError that says what the service said, or that it did not answer. */
export function orThrow<Data>(service: Pick<ServiceConnection, 'url'>, { data, error }: Answer<Data>): Data {
  if (error === null) return data;
  throw error.status ? refusal(service, error.status, error.message) : unreachable(service, error);
}

export function refusal({ url }: Pick<ServiceConnection, 'url'>, status: number, message: string): OperatorError {
  return new OperatorError(
    status === 401 || status === 403
      ? `${url} does not take this secret key: ${message}`
      : `${url} refused: ${message}`,
  );
}

export function unreachable({ url }: Pick<ServiceConnection, 'url'>, cause: unknown): OperatorError {
  return new OperatorError(`No service answers at ${url}.`, { cause });
}
