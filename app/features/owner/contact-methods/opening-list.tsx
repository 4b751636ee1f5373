import { Mail, MessageCircle, Phone } from 'lucide-react';
import type { ContactOpening } from '#app/data/contact-methods.ts';
import { formatHour } from '#app/i18n/format-date.ts';
import { useTexts } from '#app/i18n/use-texts.ts';

const ICONS = { whatsapp: MessageCircle, call: Phone, email: Mail };

/** When finders opened contact methods, to the hour. Who they were is not known. */
export function OpeningList({ openings }: { readonly openings: readonly ContactOpening[] }) {
  const { owner } = useTexts().item;
  if (openings.length === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-bold text-xl">{owner.openings}</h2>
      <ul className="flex flex-col divide-y divide-line" aria-live="polite">
        {groupOpenings(openings).map(({ channel, openedAt, count }) => {
          const Icon = ICONS[channel];
          return (
            <li key={`${channel} ${openedAt}`} className="flex items-center gap-3 py-2.5 text-sm">
              <Icon className="size-5 shrink-0 text-primary" aria-hidden="true" />
              <span className="flex-1">
                {owner.opened[channel]}
                {count > 1 && <span className="block text-ink-soft text-xs">{owner.openedTimes(count)}</span>}
              </span>
              <time dateTime={openedAt} className="text-ink-soft text-xs">
                {owner.openedAbout(formatHour(openedAt))}
              </time>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export interface OpeningGroup extends Omit<ContactOpening, 'id'> {
  readonly count: number;
}

/** Merges the openings of one contact method in one hour, in the order of each group's first opening. */
export function groupOpenings(openings: readonly ContactOpening[]): readonly OpeningGroup[] {
  const groups = new Map<string, OpeningGroup>();
  for (const { channel, openedAt } of openings) {
    const key = `${channel} ${openedAt}`;
    groups.set(key, { channel, openedAt, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return [...groups.values()];
}
