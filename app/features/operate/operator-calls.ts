import { dataClient } from '#app/client/browser-client.ts';

/** The error of the data service. */
interface CallError {
  readonly code: string;
  readonly message: string;
}

/** Whether an operator's call was refused with this code, such as `PT403` without a second factor. */
export function isRefused(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && (error as CallError).code === code;
}

/**
 * Calls a function for operators. Each call is an entry in the audit log, so nothing calls one twice.
 *
 * @throws The data service's error: `42501` without the role, `PT403` without a second factor.
 */
export async function callAsOperator<Value>(
  name: string,
  values: Readonly<Record<string, string | number | boolean | null | object>> = {},
): Promise<Value> {
  const client = await dataClient();
  const { data, error } = await client.rpc(name, values);
  if (error) throw error;
  // The form of the function's response; the caller names it.
  return data as Value;
}
