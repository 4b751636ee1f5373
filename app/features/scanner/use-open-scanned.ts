import { useNavigate } from 'react-router';
import { dataClient } from '#app/client/browser-client.ts';
import { currentSession } from '#app/client/current-session.ts';
import { mayHaveSession } from '#app/client/session.ts';
import { keepTagCode } from '#app/client/stored-tag-code.ts';
import { rememberScan } from '#app/data/first-scan.ts';
import { findCodeOwner } from '#app/data/tag-codes.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import type { OnScan } from './use-scan-result.ts';

/**
 * Returns a function that navigates to where a scan leads (specification, section 2): a code with an owner to its item,
 * with a notice; a free code to `unclaimedPath`, by default the landing page. Rejects where the owner cannot be looked
 * up.
 */
export function useOpenScanned(unclaimedPath = (code: string) => `/?qr_id=${code}`): OnScan {
  const { scanner } = useTexts();
  const navigate = useNavigate();
  return async (code, isWanted, isRead) => {
    keepTagCode(code);
    const session = mayHaveSession() ? await currentSession() : null;
    const owner = await findCodeOwner(await dataClient(), code);
    if (!isWanted()) return;
    if (owner === null) {
      // The landing page has no toasts of its own and shows this notice.
      await navigate(unclaimedPath(code), { replace: true, state: { notice: scanner.detected } });
      return;
    }
    if (isRead) rememberScan(code);
    // Replaces the open scanner in the history, so that Back leads to the page under it.
    await navigate(`/item/${code}`, { replace: true });
    if (owner === session?.user.id) showToast('success', scanner.yours, { about: code });
    // For a signed-in user the page itself says so.
    else if (session === null) showToast('success', scanner.registeredToAnother, { about: code });
  };
}
