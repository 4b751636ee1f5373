import type { ReactNode } from 'react';
import { dataClient } from '#app/client/browser-client.ts';
import { findUnseenChange, type RecentChange } from '#app/data/changes/account-changes.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { QuietLine } from '#app/ui/notice/quiet-line.tsx';
import { changesWords } from '#words/changes.ts';

/** Returns the line for what another session or an operator changed since this browser last showed one; null without. */
export async function findChangeLine(): Promise<ReactNode> {
  const change = await findUnseenChange(await dataClient());
  return change && <AccountChangeLine kind={change.kind} />;
}

/** Says what was changed, and leads to the list from which it is taken back. */
function AccountChangeLine({ kind }: Pick<RecentChange, 'kind'>) {
  const texts = changesWords(useLanguage());
  return (
    <QuietLine>
      <p className="wrap-anywhere">
        {kind.startsWith('operator_') ? texts.lines[kind] : texts.wasYou(texts.lines[kind])}
      </p>
      <LinkButton variant="quiet" className="-ms-3 min-h-11! px-3! text-sm! sm:ms-0" to="/profile/security#changes">
        {texts.see}
      </LinkButton>
    </QuietLine>
  );
}
