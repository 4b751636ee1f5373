import { useEffect, useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { canClaimCode } from '#app/data/tag-codes.ts';
import { isClaimableTagCode } from '#domain/tag-code/tag-code.ts';

/** Whether a visitor can claim a tag code. */
export interface Claim {
  readonly code: string;
  readonly isPossible: boolean;
  /** Whether it became known only after the form was shown. */
  readonly isLate: boolean;
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
    browserClient()
      .then((client) => canClaimCode(client, code))
      .then(
        (isPossible) => !isGone && setClaim({ code, isPossible, isLate: true }),
        // Without a connection it stays unknown.
        () => undefined,
      );
    return () => {
      isGone = true;
    };
  }, [code, isKnown]);

  if (isMalformed) return { code, isPossible: false, isLate: false };
  return claim?.code === code ? claim : null;
}
