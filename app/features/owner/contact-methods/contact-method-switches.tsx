import { UserRound } from 'lucide-react';
import { type RefObject, useId, useState } from 'react';
import { useRevalidator } from 'react-router';
import { withBrowserClient } from '#app/client/browser-client.ts';
import { saveItem } from '#app/data/items.ts';
import { useSavedSwitches } from '#app/form/use-saved-switches.ts';
import { formatList } from '#app/i18n/format-list.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { SwitchField } from '#app/ui/field/switch-field.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import {
  CONTACT_METHODS,
  type ContactMethod,
  contactState,
  type OpenContactMethods,
} from '#domain/contact/contact-methods.ts';
import type { Language } from '#domain/language.ts';
import { ContactMethodChoice } from './contact-method-choice.tsx';

interface ContactMethodSwitchesProps {
  readonly itemId: string;
  readonly ownerId: string;
  /** Whether the owner has confirmed the account's contact methods. Until then this asks for it. */
  readonly areChosen: boolean;
  /** What currently applies to this item: its own setting or the account's. */
  readonly open: OpenContactMethods;
  /** The title above, which gets the focus once the pressed button is gone. */
  readonly title: RefObject<HTMLElement | null>;
}

/** Shows and changes the contact methods of this item. */
export function ContactMethodSwitches({ itemId, ownerId, areChosen, open, title }: ContactMethodSwitchesProps) {
  const language = useLanguage();
  const { item, contactMethods } = language.texts;
  const { owner } = item;
  const hintId = useId();
  const { revalidate } = useRevalidator();
  const { wanted, isWaiting, change } = useSavedSwitches<ContactMethod>({
    save: (channel, isOpen) =>
      withBrowserClient((client) => saveItem(client, itemId, { channels: { [channel]: isOpen } }))(),
    reload: revalidate,
    onRefused: () => showToast('failure', owner.channelFailed),
  });
  // If a method was closed already, the owner has made a choice and is not asked. Read once, so that the question does
  // not disappear and move the switches while the owner closes one.
  const [wasOpen] = useState(contactState(open) === 'all');

  const shown = { ...open, ...wanted };
  const isUnreachable = contactState(shown) === 'none';
  const asks = !areChosen && wasOpen;

  return (
    <div className="flex flex-col gap-3">
      {asks && (
        <div className="flex flex-col gap-2 border-line border-b pb-3">
          <p className="text-sm">{contactMethods.choiceHint}</p>
          <ContactMethodChoice ownerId={ownerId} onChosen={() => title.current?.focus({ preventScroll: true })} />
        </div>
      )}
      <div className="flex flex-col divide-y divide-line">
        {CONTACT_METHODS.map((channel) => (
          <SwitchField
            key={channel}
            label={owner.channelNames[channel]}
            checked={wanted[channel] ?? open[channel]}
            onChange={(isOpen) => void change(channel, isOpen)}
          />
        ))}
      </div>
      {/* Below the switches: its height changes with them, and they must not move under a finger. */}
      {isUnreachable ? (
        <div role="status">
          <Alert tone="warning" quiet>
            {contactMethods.noneOpenForItem}
          </Alert>
        </div>
      ) : (
        <p className="text-ink-soft text-sm">{sayWhatIsOpen(language, shown)}</p>
      )}
      <p role="status" className="font-medium text-sm empty:hidden">
        {isWaiting && contactMethods.notSavedYet}
      </p>
      <div className="flex flex-col gap-1.5 border-line border-t pt-4">
        <LinkButton variant="outline" to="/profile" aria-describedby={hintId}>
          <UserRound className="size-5" aria-hidden="true" />
          {contactMethods.updateProfile}
        </LinkButton>
        <p id={hintId} className="text-ink-soft text-xs">
          {contactMethods.updateProfileHint}
        </p>
      </div>
    </div>
  );
}

function sayWhatIsOpen({ tag, texts: { contactMethods } }: Language, open: OpenContactMethods): string {
  const channels = CONTACT_METHODS.filter((channel) => open[channel]);
  if (channels.every((channel) => channel === 'message')) return contactMethods.messageOpen;
  return contactMethods.open(
    formatList(
      channels.map((channel) => contactMethods.names[channel]),
      tag,
    ),
  );
}
