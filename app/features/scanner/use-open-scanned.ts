import { useNavigate } from 'react-router';
import { browserClient } from '#app/lib/browser-client.ts';
import { findCodeOwner } from '#app/lib/qr-code-owner.ts';
import { currentSession, mayHaveSession } from '#app/lib/session.ts';
import { keepTagCode } from '#app/lib/stored-tag-code.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { showToast } from '#app/ui/toasts.tsx';
import type { OnScan } from './use-scan-result.ts';

/**
 * Where a scan leads (specification, section 2): a code that somebody has to its item, saying whose it is; a free one
 * to `unclaimedPath`, which is the landing page unless the caller knows better. Rejects where that cannot be asked.
 */
export function useOpenScanned(unclaimedPath = (code: string) => `/?qr_id=${code}`): OnScan {
  const { scanner } = useMessages();
  const navigate = useNavigate();
  return async (code, isWanted) => {
    keepTagCode(code);
    const session = mayHaveSession() ? await currentSession() : null;
    const owner = await findCodeOwner(await browserClient(), code);
    if (!isWanted()) return;
    if (owner === null) {
      // The landing page shows no toasts of its own; it says what came along.
      await navigate(unclaimedPath(code), { replace: true, state: { notice: scanner.detected } });
      return;
    }
    // In place of the open scanner, so that Back leads to the page under it.
    await navigate(`/item/${code}`, { replace: true });
    if (owner === session?.user.id) showToast('success', scanner.yours, { about: code });
    // To a person who is signed in the page itself says so.
    else if (session === null) showToast('success', scanner.registeredToAnother, { about: code });
  };
}
