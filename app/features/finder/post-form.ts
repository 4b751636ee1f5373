/** What a form's address answered. Without `problem` it was not reached, or was not able to answer. */
export type FormAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem?: string };

/** Milliseconds after which a connection that says nothing counts as lost. */
const PATIENCE_MS = 15_000;

/** Posts a form as the browser would, but asks for JSON. Never rejects. */
export async function postForm<Value>(
  form: HTMLFormElement,
  extra: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<FormAnswer<Value>> {
  // By hand: AbortSignal.any and .timeout are missing on phones that are still in use.
  const attempt = new AbortController();
  const giveUp = () => attempt.abort();
  const late = setTimeout(giveUp, PATIENCE_MS);
  signal.addEventListener('abort', giveUp);
  try {
    const fields = new URLSearchParams(extra);
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields.append(name, value);
    const response = await fetch(form.action, {
      method: 'POST',
      body: fields,
      headers: { Accept: 'application/json' },
      signal: attempt.signal,
    });
    // A server in trouble, and a gateway that cannot reach it, may be luckier the next time.
    if (response.status >= 500) return { ok: false };
    // The shapes are the server's: its routes for this form answer either of the two.
    const answer = (await response.json()) as Value & { problem: string };
    return response.ok ? { ok: true, value: answer } : { ok: false, problem: answer.problem };
  } catch {
    return { ok: false };
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', giveUp);
  }
}
