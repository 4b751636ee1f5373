import { sendWithin, TIMEOUT_MS } from '#app/resilience/retry-policy.ts';

/** The response to a form. Without `problem`, the server was unreachable or failed. */
export type FormResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem?: string };

/** Returns the texts that a form contains now. */
export function fieldsOf(form: HTMLFormElement): Record<string, string> {
  const fields = new FormData(form);
  // The only field for a file. All others are texts.
  fields.delete('photo');
  return Object.fromEntries(fields) as Record<string, string>;
}

/** Posts a form as the browser would, but requests JSON. `extra` replaces fields of the same name. Never rejects. */
export async function postForm<Value>(
  form: HTMLFormElement,
  extra: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<FormResult<Value>> {
  try {
    const fields = new URLSearchParams({ ...fieldsOf(form), ...extra });
    const headers = { Accept: 'application/json' };
    const response = await sendWithin(
      TIMEOUT_MS,
      (stop) => fetch(form.action, { method: 'POST', body: fields, headers, signal: stop }),
      signal,
    );
    // A failing server or gateway may succeed on a retry.
    if (response.status >= 500) return { ok: false };
    // The server's routes for this form respond with one of these two types.
    const parsed = (await response.json()) as Value & { problem: string };
    return response.ok ? { ok: true, value: parsed } : { ok: false, problem: parsed.problem };
  } catch {
    return { ok: false };
  }
}
