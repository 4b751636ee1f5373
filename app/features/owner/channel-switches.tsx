import { UserRound } from 'lucide-react';
import { useId, useState } from 'react';
import { useRevalidator } from 'react-router';
import { saveItem } from '#app/lib/items.ts';
import { untilReached } from '#app/lib/until-reached.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { SwitchField } from '#app/ui/switch-field.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { CHANNELS, type Channel, contactState, type OpenChannels } from '#domain/found-item.ts';

interface ChannelSwitchesProps {
  readonly itemId: string;
  /** What holds for this item now, its own setting or the account's. */
  readonly open: OpenChannels;
}

/** Which ways a finder of this item has to its owner. */
export function ChannelSwitches({ itemId, open }: ChannelSwitchesProps) {
  const { item, ways } = useMessages();
  const { owner } = item;
  const hintId = useId();
  const { revalidate } = useRevalidator();
  // Shown at once, and taken back where it was refused.
  const [wanted, setWanted] = useState<Partial<OpenChannels>>({});
  const [isWaiting, setIsWaiting] = useState(false);

  const change = async (channel: Channel, isOpen: boolean) => {
    // The last one is not through: two at once could arrive in the wrong order.
    if (channel in wanted) return;
    setWanted((others) => ({ ...others, [channel]: isOpen }));
    const outcome = await untilReached(
      (client) => saveItem(client, itemId, { channels: { [channel]: isOpen } }),
      () => setIsWaiting(true),
    );
    setIsWaiting(false);
    if (outcome === 'saved') await revalidate();
    else showToast('failure', owner.channelFailed);
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
      <div role="status" className="empty:hidden">
        {contactState({ ...open, ...wanted }) === 'none' && (
          <Alert tone="warning" quiet>
            {ways.noneOpenForItem}
          </Alert>
        )}
      </div>
      <p role="status" className="font-medium text-sm empty:hidden">
        {isWaiting && ways.notSavedYet}
      </p>
      <div className="flex flex-col gap-1.5 border-line border-t pt-4">
        <LinkButton variant="outline" to="/profile" aria-describedby={hintId}>
          <UserRound className="size-5" aria-hidden="true" />
          {ways.updateProfile}
        </LinkButton>
        <p id={hintId} className="text-ink-soft text-xs">
          {ways.updateProfileHint}
        </p>
      </div>
    </Card>
  );
}
