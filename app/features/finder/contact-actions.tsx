import { Mail, MessageCircle, Phone, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Alert } from '#app/ui/alert.tsx';
import type { ContactChannel } from '#domain/contact-links.ts';
import { leadsOutside, type OpenChannels } from '#domain/found-item.ts';
import type { Messages } from '#domain/messages/en.ts';

interface ContactActionsProps {
  readonly code: string;
  readonly channels: OpenChannels;
  readonly messages: Messages;
  readonly owner: string;
  /** Some ways are open and some are not. */
  readonly limited: boolean;
  readonly problem: string | undefined;
}

const LOOK =
  'flex min-h-14 w-full items-center justify-center gap-2 rounded-md border border-line-strong bg-surface px-1 py-2 font-semibold transition-[border-color,color] hover:border-primary hover:text-primary disabled:opacity-60';
const ICON_LOOK = 'size-5.5 shrink-0 text-primary';

/**
 * The open ways to the owner, each a form of its own: the address is asked for only when a way is chosen. Sharing
 * needs a script, which shows the button. Where no way leads out of the page, all of this is quiet.
 */
export function ContactActions({ code, channels, messages, owner, limited, problem }: ContactActionsProps) {
  const texts = messages.finder;
  const limitedText = limited && `${texts.limitedContact}.`;
  if (!leadsOutside(channels)) {
    return (
      <section className="flex flex-col gap-3">
        {problem !== undefined && <Alert>{problem}</Alert>}
        <div className="flex flex-wrap items-center justify-between gap-x-4 px-1 text-sm">
          {limited && <p className="text-ink-soft">{limitedText}</p>}
          <button
            type="button"
            data-share=""
            hidden
            className="inline-flex min-h-11 items-center gap-2 font-semibold text-primary hover:underline [&[hidden]]:hidden"
          >
            <Share2 className="size-4.5 shrink-0" aria-hidden="true" />
            {texts.share}
          </button>
        </div>
      </section>
    );
  }
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-bold text-lg">{texts.contactTitle(owner)}</h2>
      {problem !== undefined && <Alert>{problem}</Alert>}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(max(min(8.5rem,100%),40%),1fr))] gap-2.5">
        {channels.whatsapp && (
          <ChannelForm code={code} channel="whatsapp" label={texts.whatsApp}>
            <MessageCircle className={ICON_LOOK} aria-hidden="true" />
          </ChannelForm>
        )}
        {channels.call && (
          <ChannelForm code={code} channel="call" label={texts.call}>
            <Phone className={ICON_LOOK} aria-hidden="true" />
          </ChannelForm>
        )}
        {channels.email && (
          <ChannelForm code={code} channel="email" label={texts.email}>
            <Mail className={ICON_LOOK} aria-hidden="true" />
          </ChannelForm>
        )}
        <button type="button" data-share="" hidden className={LOOK}>
          <Share2 className={ICON_LOOK} aria-hidden="true" />
          {texts.share}
        </button>
      </div>
      <p className="text-ink-soft text-sm">
        {limitedText} {texts.contactHint(owner)}
      </p>
    </section>
  );
}

interface ChannelFormProps {
  readonly code: string;
  readonly channel: ContactChannel;
  readonly label: string;
  /** The picture before the label. */
  readonly children: ReactNode;
}

function ChannelForm({ code, channel, label, children }: ChannelFormProps) {
  return (
    <form method="post" action={`/item/${code}/contact`} data-contact={channel}>
      <input type="hidden" name="channel" value={channel} />
      <button type="submit" className={LOOK}>
        {children}
        {label}
      </button>
    </form>
  );
}
