import { Mail, MessageCircle, Phone, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Alert } from '#app/ui/alert.tsx';
import type { ContactChannel } from '#domain/contact-links.ts';
import type { OpenChannels } from '#domain/found-item.ts';
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
  'flex min-h-20 w-full flex-col items-center justify-center gap-1.5 rounded-md border border-line-strong bg-surface px-1 py-2 font-semibold text-sm transition-[border-color,color] hover:border-primary hover:text-primary disabled:opacity-60';

/**
 * The open ways to the owner, each a form of its own: the address is asked for only when a way is chosen. Sharing
 * needs a script, which shows the button.
 */
export function ContactActions({ code, channels, messages, owner, limited, problem }: ContactActionsProps) {
  const texts = messages.finder;
  const outside = channels.whatsapp || channels.call || channels.email;
  return (
    <section className="flex flex-col gap-3" aria-labelledby="contact-title">
      <h2 id="contact-title" className="font-bold text-lg">
        {texts.contactTitle(owner)}
      </h2>
      <div data-contact-problem="">{problem !== undefined && <Alert>{problem}</Alert>}</div>
      <div className="grid grid-cols-2 gap-2.5 min-[22rem]:grid-cols-4">
        {channels.whatsapp && (
          <ChannelForm
            code={code}
            channel="whatsapp"
            label={texts.whatsApp}
            icon={<MessageCircle aria-hidden="true" />}
          />
        )}
        {channels.call && (
          <ChannelForm code={code} channel="call" label={texts.call} icon={<Phone aria-hidden="true" />} />
        )}
        {channels.email && (
          <ChannelForm code={code} channel="email" label={texts.email} icon={<Mail aria-hidden="true" />} />
        )}
        <button type="button" data-share="" hidden className={LOOK}>
          <Share2 aria-hidden="true" />
          {texts.share}
        </button>
      </div>
      <p className="text-ink-soft text-sm">
        {limited && `${texts.limitedContact}. `}
        {outside && texts.contactHint(owner)}
      </p>
    </section>
  );
}

interface ChannelFormProps {
  readonly code: string;
  readonly channel: ContactChannel;
  readonly label: string;
  readonly icon: ReactNode;
}

function ChannelForm({ code, channel, label, icon }: ChannelFormProps) {
  return (
    <form method="post" action={`/item/${code}/contact`} data-contact={channel}>
      <input type="hidden" name="channel" value={channel} />
      <button type="submit" className={LOOK}>
        {icon}
        {label}
      </button>
    </form>
  );
}
