import { useRevalidator } from 'react-router';
import { withBrowserClient } from '#app/client/browser-client.ts';
import { type ProfileSwitch, type ProfileSwitches, setProfileSwitch } from '#app/data/profile.ts';
import { useSavedSwitches } from '#app/form/use-saved-switches.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { Card } from '#app/ui/card.tsx';
import { SwitchField } from '#app/ui/field/switch-field.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { CONTACT_METHODS, contactState } from '#domain/contact/contact-methods.ts';
import { profileWords } from '#words/profile.ts';

/** The contact methods for items without their own settings, and whether finders read that a message was seen. */
export function ContactMethodSettings({ profile }: { readonly profile: ProfileSwitches }) {
  const { item, contactMethods } = useTexts();
  const { profile: texts } = profileWords(useLanguage());
  const { revalidate } = useRevalidator();
  const { wanted, isWaiting, change } = useSavedSwitches<ProfileSwitch>({
    save: (name, isOn) => withBrowserClient((client) => setProfileSwitch(client, profile.id, name, isOn))(),
    reload: revalidate,
    onRefused: () => showToast('failure', texts.channelsSaveFailed, { about: 'profile' }),
  });

  return (
    <Card className="flex flex-col gap-3">
      <p className="text-ink-soft text-sm">{texts.channelsHint}</p>
      <div className="flex flex-col divide-y divide-line">
        {CONTACT_METHODS.map((channel) => (
          <SwitchField
            key={channel}
            label={item.owner.channelNames[channel]}
            checked={wanted[channel] ?? profile.channels[channel]}
            onChange={(isOpen) => void change(channel, isOpen)}
          />
        ))}
      </div>
      <div role="status" className="empty:hidden">
        {contactState({ ...profile.channels, ...wanted }) === 'none' && (
          <Alert tone="warning" quiet>
            {contactMethods.noneOpen}
          </Alert>
        )}
      </div>
      <div className="border-line border-t pt-2">
        <SwitchField
          label={texts.seenShown}
          checked={wanted.seen ?? profile.seenShown}
          onChange={(isShown) => void change('seen', isShown)}
        />
        <p className="text-ink-soft text-sm">{texts.seenShownHint}</p>
      </div>
      <p role="status" className="font-medium text-sm empty:hidden">
        {isWaiting && contactMethods.notSavedYet}
      </p>
    </Card>
  );
}
