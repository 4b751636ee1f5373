import { useNavigate } from 'react-router';
import { findCodeOwner } from '#app/lib/code-owner.ts';
import { keepTagCode } from '#app/lib/stored-tag-code.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { showToast } from '#app/ui/toasts.tsx';

/**
 * Where a scan leads (specification, section 2): a code that somebody has to its item, saying whose it is; a free one
 * to `unclaimedPath`, which is the landing page unless the caller knows better. Rejects where that cannot be asked.
 */
export function useOpenScanned(unclaimedPath = (code: string) => `/?qr_id=${code}`): (code: string) => Promise<void> {
  const { scanner } = useMessages();
  const navigate = useNavigate();
  return async (code) => {
    keepTagCode(code);
    const owner = await findCodeOwner(code);
    await navigate(owner === 'nobody' ? unclaimedPath(code) : `/item/${code}`, { viewTransition: true });
    if (owner === 'me') showToast('success', scanner.yours, { about: code });
    if (owner === 'another') showToast('success', scanner.registeredToAnother, { about: code });
  };
}
