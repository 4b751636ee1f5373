import { useTexts } from '#app/i18n/use-texts.ts';
import type { StoppedPush } from '#app/push/stopped-push.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { QuietLine } from '#app/ui/notice/quiet-line.tsx';

/** Says where notifications have stopped. */
export function PushStoppedLine({ name, section }: StoppedPush) {
  const { stoppedPush } = useTexts();
  return (
    <QuietLine>
      <p>{stoppedPush.text(name)}</p>
      <LinkButton variant="quiet" className="-ms-3 min-h-11! px-3! text-sm! sm:ms-0" to={`/profile#${section}`}>
        {stoppedPush.settings}
      </LinkButton>
    </QuietLine>
  );
}
