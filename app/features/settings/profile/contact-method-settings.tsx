import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/lib/browser-client.ts';
import { type Profile, setAccountChannel } from '#app/lib/profile.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { Card } from '#app/ui/card.tsx';
import { SwitchField } from '#app/ui/switch-field.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { CHANNELS, type Channel, contactState, type OpenChannels } from '#domain/found-item.ts';

/** Which ways finders have to this owner, where an item does not say otherwise. */
export function AccountChannels({ profile }: { readonly profile: Profile }) {
  const { item, profile: texts, ways } = useMessages();
  const { revalidate } = useRevalidator();
  // Shown at once, and taken back where it could not be saved.
  const [wanted, setWanted] = useState<Partial<OpenChannels>>({});

  const change = async (channel: Channel, isOpen: boolean) => {
    setWanted((others) => ({ ...others, [channel]: isOpen }));
    try {
      await setAccountChannel(await browserClient(), profile.id, channel, isOpen);
      await revalidate();
    } catch {
      showToast('failure', texts.channelsSaveFailed, { about: 'profile' });
    }
    setWanted(({ [channel]: _settled, ...others }) => others);
  };

  return (
    <Card className="flex flex-col gap-3">
      <h2 className="font-bold text-xl">{texts.channels}</h2>
      <p className="text-ink-soft text-sm">{texts.channelsHint}</p>
      <div className="flex flex-col divide-y divide-line">
        {CHANNELS.map((channel) => (
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
            {ways.noneOpen}
          </Alert>
        )}
      </div>
    </Card>
  );
}
