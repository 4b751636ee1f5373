import type { MissLimit } from '#server/limits/miss-limit.ts';
import type { Database } from '#server/postgres/database.ts';
import { inTime } from '#server/postgres/in-time.ts';
import { LOOK_UP_TIMEOUT_MS } from '../finder/look-up-code.ts';

export type TypedCodeLookUp =
  | { readonly kind: 'found'; readonly code: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number };

export interface TypedCodeLookUpOptions {
  readonly database: Pick<Database, 'readAsVisitor'>;
  readonly misses: MissLimit;
}

/**
 * Returns a function that finds the tag code of a typed code within the limit of misses for the visitor's address. A
 * hit costs nothing.
 */
export function typedCodeLookUp({ database, misses }: TypedCodeLookUpOptions) {
  return async (typedCode: string, address: string): Promise<TypedCodeLookUp> => {
    const refusedFor = misses.refusal(address, typedCode);
    if (refusedFor !== null) return { kind: 'too-many', retryAfterSeconds: refusedFor };
    const looking = database.readAsVisitor<{ readonly code: string | null }>({
      name: 'find_typed_code_for_page',
      text: 'select public.find_typed_code($1) as code',
      values: [typedCode],
    });
    const code = (await inTime(looking, LOOK_UP_TIMEOUT_MS)).rows[0]?.code ?? null;
    if (code !== null) return { kind: 'found', code };
    const retryAfterSeconds = await misses.countMiss(address);
    return retryAfterSeconds === null ? { kind: 'missing' } : { kind: 'too-many', retryAfterSeconds };
  };
}
