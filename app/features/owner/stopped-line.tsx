import { useLanguage } from '#app/i18n/use-texts.ts';
import type { StoppedPush } from '#app/push/stopped-push.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { QuietLine } from '#app/ui/notice/quiet-line.tsx';
import { isolateName } from '#domain/isolate-name.ts';
import { deviceInWords } from '#domain/texts/device-in-words.ts';
import { changesWords } from '#words/changes.ts';
import { dashboardWords } from '#words/dashboard.ts';

/** Says where notifications have stopped, and leads to the part of the profile that shows it. */
export function StoppedLine({ kind, name }: StoppedPush) {
  const language = useLanguage();
  const texts = dashboardWords(language).stopped;
  const shown = kind === 'device' ? deviceInWords(name, changesWords(language)) : name;
  return (
    <QuietLine>
      <p className="wrap-anywhere">{texts[kind](isolateName(shown))}</p>
      <LinkButton
        variant="quiet"
        className="-ms-3 min-h-11! px-3! text-sm! sm:ms-0"
        to={`/profile/notifications#${kind === 'device' ? 'notifications' : 'addresses'}`}
      >
        {texts.see}
      </LinkButton>
    </QuietLine>
  );
}
