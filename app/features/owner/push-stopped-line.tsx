import { useTexts } from '#app/i18n/use-texts.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { QuietLine } from '#app/ui/notice/quiet-line.tsx';

/** Says on which device notifications have stopped. */
export function PushStoppedLine({ device }: { readonly device: string }) {
  const { stoppedPush } = useTexts();
  return (
    <QuietLine>
      <p>{stoppedPush.text(device)}</p>
      <LinkButton variant="quiet" className="-ms-3 min-h-11! px-3! text-sm! sm:ms-0" to="/profile#notifications">
        {stoppedPush.settings}
      </LinkButton>
    </QuietLine>
  );
}
