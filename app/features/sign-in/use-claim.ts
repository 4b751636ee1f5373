import { useEffect, useState } from 'react';
import { dataClient } from '#app/client/browser-client.ts';
import type { DataClient } from '#app/client/data-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { canClaimCode, findItem } from '#app/data/tag-codes.ts';
import { isClaimableTagCode } from '#domain/tag-code/tag-code.ts';

/** Whether a visitor can claim a tag code. */
export interface Claim {
  readonly code: string;
  readonly isPossible: boolean;
  /** Whether it leads to an owner already, who may be the visitor. */
  readonly isTaken: boolean;
  /** Whether it became known only after the form was shown. */
  readonly isLate: boolean;
}

/** Asks whether a visitor can claim the code, and if not, whether it has an owner. Throws the data service's error. */
export async function askClaim(client: DataClient, code: string): Promise<Omit<Claim, 'isLate'>> {
  const isPossible = await canClaimCode(client, code);
  return { code, isPossible, isTaken: !isPossible && (await findItem(client, code)) !== null };
}

/**
 * Returns whether a visitor can claim the code; null without a code, and while it is not known. Nothing waits for it: the
 * service decides again when an account is created.
 *
 * @param known - What the page's loader knows.
 */
export function useClaim(code: string | null, known: Claim | null): Claim | null {
  const { development } = usePublicConfig();
  const [claim, setClaim] = useState(known);
  // A development server allows claiming any code.
  const isMalformed = code !== null && !development && !isClaimableTagCode(code);
  const isKnown = code === null || isMalformed || claim?.code === code;

  useEffect(() => {
    if (code === null || isKnown) return;
    let isGone = false;
    dataClient()
      .then((client) => askClaim(client, code))
      .then(
        (asked) => !isGone && setClaim({ ...asked, isLate: true }),
        // Without a connection it stays unknown.
        () => undefined,
      );
    return () => {
      isGone = true;
    };
  }, [code, isKnown]);

  if (isMalformed) return { code, isPossible: false, isTaken: false, isLate: false };
  return claim?.code === code ? claim : null;
}
