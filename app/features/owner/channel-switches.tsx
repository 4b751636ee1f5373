import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/lib/browser-client.ts';
import { setItemChannel } from '#app/lib/channels.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Card } from '#app/ui/card.tsx';
import { SwitchField } from '#app/ui/switch-field.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import type { Channel, OpenChannels } from '#domain/found-item.ts';

const CHANNELS: readonly Channel[] = ['whatsapp', 'call', 'email', 'message'];

interface ChannelSwitchesProps {
  readonly itemId: string;
  /** What holds for this item now, its own setting or the account's. */
  readonly open: OpenChannels;
}

/** Which ways a finder of this item has to its owner. */
export function ChannelSwitches({ itemId, open }: ChannelSwitchesProps) {
  const { owner } = useMessages().item;
  const { revalidate } = useRevalidator();
  // Shown at once, and taken back where it could not be saved.
  const [wanted, setWanted] = useState<Partial<OpenChannels>>({});

  const change = async (channel: Channel, isOpen: boolean) => {
    setWanted((others) => ({ ...others, [channel]: isOpen }));
    try {
      await setItemChannel(await browserClient(), itemId, channel, isOpen);
      await revalidate();
    } catch {
      showToast('failure', owner.channelFailed);
    }
    setWanted(({ [channel]: _settled, ...others }) => others);
  };

  return (
    <Card className="flex flex-col gap-3">
      <h2 className="font-bold text-xl">{owner.channels}</h2>
      <p className="text-ink-soft text-sm">{owner.channelsHint}</p>
      <div className="flex flex-col divide-y divide-line">
        {CHANNELS.map((channel) => (
          <SwitchField
            key={channel}
            label={owner.channelNames[channel]}
            checked={wanted[channel] ?? open[channel]}
            onChange={(isOpen) => void change(channel, isOpen)}
          />
        ))}
      </div>
    </Card>
  );
}
