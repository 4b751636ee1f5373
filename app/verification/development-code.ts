import * as v from 'valibot';

const schema = v.object({ code: v.nullable(v.string()), backup_code: v.nullable(v.string()) });

export interface DevelopmentCode {
  /** The newest code that was sent for this address. */
  readonly code: string | null;
  /** The fixed code that a development server accepts beside it. */
  readonly backupCode: string | null;
}

/** What a development server says of the code it sent; null where it says nothing. A production server has no such page. */
export async function fetchDevelopmentCode(email: string): Promise<DevelopmentCode | null> {
  const answer = await fetch(`/dev/outbox/code?email=${encodeURIComponent(email)}`).catch(() => null);
  if (!answer?.ok) return null;
  const parsed = v.safeParse(schema, await answer.json().catch(() => null));
  return parsed.success ? { code: parsed.output.code, backupCode: parsed.output.backup_code } : null;
}
