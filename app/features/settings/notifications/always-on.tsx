import { useLanguage } from '#app/i18n/use-texts.ts';
import { Card } from '#app/ui/card.tsx';
import { notificationsWords } from '#words/notifications.ts';

/** What the owner is told of whatever they chose. */
export function AlwaysOn() {
  const { always } = notificationsWords(useLanguage());
  return (
    <Card>
      <h2 className="font-bold text-xl">{always.title}</h2>
      <p className="mt-1 text-ink-soft text-sm">{always.text}</p>
    </Card>
  );
}
