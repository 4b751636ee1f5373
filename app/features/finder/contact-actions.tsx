import { type LucideIcon, Mail, MessageCircle, Phone, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Alert } from '#app/ui/notice/alert.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import {
  EXTERNAL_CONTACT_METHODS,
  type ExternalContactMethod,
  leadsOutside,
  type OpenContactMethods,
} from '#domain/contact/contact-methods.ts';
import type { FinderTexts } from '#domain/finder-language.ts';

interface ContactActionsProps {
  readonly code: string;
  readonly channels: OpenContactMethods;
  readonly texts: FinderTexts;
  readonly owner: string;
  /** Some contact methods are open and some are not. */
  readonly limited: boolean;
  readonly problem: string | undefined;
}

const LOOK =
  'flex min-h-14 w-full flex-col items-center justify-center gap-1 rounded-md px-1 py-2 font-semibold text-primary text-xs hover:underline disabled:opacity-60';
const ICON_LOOK = 'size-5.5 shrink-0';

interface ContactButton {
  readonly Icon: LucideIcon;
  readonly label: (texts: FinderTexts['finder']) => string;
}

const BUTTONS: Readonly<Record<ExternalContactMethod, ContactButton>> = {
  whatsapp: { Icon: MessageCircle, label: (texts) => texts.whatsApp },
  call: { Icon: Phone, label: (texts) => texts.call },
  email: { Icon: Mail, label: (texts) => texts.email },
};

/**
 * The open contact methods, each a form of its own: the owner's address is only requested when one is chosen. Sharing
 * needs a script, which shows the button. Where no method leads off the page, all of this is toned down.
 */
export function ContactActions({ code, channels, texts, owner, limited, problem }: ContactActionsProps) {
  const finderTexts = texts.finder;
  const limitedText = limited && finderTexts.sentence(finderTexts.limitedContact);
  if (!leadsOutside(channels)) {
    return (
      <section className="flex flex-col gap-3 not-has-[p,[role=alert],button:not([hidden])]:hidden">
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
            {finderTexts.share}
          </button>
        </div>
      </section>
    );
  }
  return (
    <section className="flex flex-col gap-1">
      <h2 className="px-1 font-semibold text-sm">
        <WithName of={finderTexts.contactTitle} name={owner} />
      </h2>
      {problem !== undefined && <Alert>{problem}</Alert>}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(4rem,1fr))]">
        {EXTERNAL_CONTACT_METHODS.filter((method) => channels[method]).map((method) => {
          const { Icon, label } = BUTTONS[method];
          return (
            <ContactMethodForm key={method} code={code} channel={method} label={label(finderTexts)}>
              <Icon className={ICON_LOOK} aria-hidden="true" />
            </ContactMethodForm>
          );
        })}
        <button type="button" data-share="" hidden className={LOOK}>
          <Share2 className={ICON_LOOK} aria-hidden="true" />
          {finderTexts.share}
        </button>
      </div>
      <p className="px-1 text-ink-soft text-sm">
        {limitedText} <WithName of={finderTexts.contactHint} name={owner} />
      </p>
    </section>
  );
}

interface ContactMethodFormProps {
  readonly code: string;
  readonly channel: ExternalContactMethod;
  readonly label: string;
  /** The icon before the label. */
  readonly children: ReactNode;
}

function ContactMethodForm({ code, channel, label, children }: ContactMethodFormProps) {
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
