import { useEffect, useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { loadDesk } from '#app/data/messages.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import type { Desk } from '#domain/desks/desk.ts';
import { hoursInWords } from '#domain/texts/desk-in-words.ts';
import { desksWords } from '#words/desks.ts';

/** When the desk is open at which a finder handed the item in, and its number. Nothing where the desk is no longer there. */
export function DeskDetails({ id }: { readonly id: string }) {
  const { tag } = useLanguage();
  const [desk, setDesk] = useState<Desk | null>(null);
  useEffect(() => {
    let isLeft = false;
    browserClient()
      .then((client) => loadDesk(client, id))
      .then(
        (found) => !isLeft && setDesk(found),
        // The message itself names the desk and its place.
        () => undefined,
      );
    return () => {
      isLeft = true;
    };
  }, [id]);
  if (desk === null) return null;
  const lines = hoursInWords(desk.hours, tag, desksWords({ tag }), Date.now());
  return (
    <div className="flex flex-col text-sm">
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
      {desk.phone !== null && (
        <a
          href={`tel:${desk.phone.replace(/[^+\d]/g, '')}`}
          dir="ltr"
          className="inline-flex min-h-11 items-center self-start font-semibold text-primary hover:underline"
        >
          {desk.phone}
        </a>
      )}
    </div>
  );
}
