import { Mail, MessageCircle, Phone } from 'lucide-react';
import type { ChannelOpening } from '#app/lib/channels.ts';
import { formatHour } from '#app/lib/format-date.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { groupOpenings } from './group-openings.ts';

const ICONS = { whatsapp: MessageCircle, call: Phone, email: Mail };

/** When finders chose a way to the owner, to the hour; who they were is not known here. */
export function OpeningList({ openings }: { readonly openings: readonly ChannelOpening[] }) {
  const { owner } = useMessages().item;
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
