import { Mail, MessageCircle, Phone } from 'lucide-react';
import type { ChannelOpening } from '#app/lib/channels.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { formatMoment } from './format-date.ts';

const ICONS = { whatsapp: MessageCircle, call: Phone, email: Mail };

/** When finders chose a way to the owner, to the hour; who they were is not known here. */
export function OpeningList({ openings }: { readonly openings: readonly ChannelOpening[] }) {
  const { owner } = useMessages().item;
  if (openings.length === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-bold text-xl">{owner.openings}</h2>
      <ul className="flex flex-col divide-y divide-line">
        {openings.map(({ id, channel, openedAt }) => {
          const Icon = ICONS[channel];
          return (
            <li key={id} className="flex items-center gap-3 py-2.5 text-sm">
              <Icon className="size-5 shrink-0 text-primary" aria-hidden="true" />
              <span className="flex-1">{owner.opened[channel]}</span>
              <time dateTime={openedAt} className="text-ink-soft text-xs">
                {formatMoment(openedAt)}
              </time>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
