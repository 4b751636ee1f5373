import * as v from 'valibot';

const schema = v.object({ code: v.nullable(v.string()), backup_code: v.nullable(v.string()) });

export interface DevelopmentCode {
  /** The latest code that was sent to this address. */
  readonly code: string | null;
  /** The fixed code that a development server accepts in addition. */
  readonly backupCode: string | null;
}

/** Returns the code that a development server has sent, or null. A production server does not have this endpoint. */
export async function fetchDevelopmentCode(email: string): Promise<DevelopmentCode | null> {
  const response = await fetch(`/dev/outbox/code?email=${encodeURIComponent(email)}`).catch(() => null);
  if (!response?.ok) return null;
  const parsed = v.safeParse(schema, await response.json().catch(() => null));
  return parsed.success ? { code: parsed.output.code, backupCode: parsed.output.backup_code } : null;
}
