import type { AuthError } from '@supabase/supabase-js';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from './connect-to-service.ts';

type Result<Data> =
  | { readonly data: Data; readonly error: null }
  | { readonly data: unknown; readonly error: AuthError };

/** Returns the data of a result. Throws an OperatorError with the service's message, or that it did not respond. */
export function orThrow<Data>(service: Pick<ServiceConnection, 'url'>, { data, error }: Result<Data>): Data {
  if (error === null) return data;
  throw error.status ? refusal(service, error.status, error.message) : unreachable(service, error);
}

export function refusal({ url }: Pick<ServiceConnection, 'url'>, status: number, message: string): OperatorError {
  return new OperatorError(
    status === 401 || status === 403
      ? `${url} doesn't accept this secret key: ${message}`
      : `${url} refused: ${message}`,
  );
}

export function unreachable({ url }: Pick<ServiceConnection, 'url'>, cause: unknown): OperatorError {
  return new OperatorError(`No service responds at ${url}.`, { cause });
}
