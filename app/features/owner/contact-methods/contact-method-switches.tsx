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
import type { Messages } from '#domain/messages/en.ts';
import { WaysChoice } from './ways-choice.tsx';

interface ChannelSwitchesProps {
  readonly itemId: string;
  readonly ownerId: string;
  /** The owner has said which ways stay open. Until then this asks. */
  readonly areChosen: boolean;
  /** What holds for this item now, its own setting or the account's. */
  readonly open: OpenChannels;
}

/** Which ways a finder of this item has to its owner. */
export function ChannelSwitches({ itemId, ownerId, areChosen, open }: ChannelSwitchesProps) {
  const { item, ways } = useMessages();
  const { owner } = item;
  const hintId = useId();
  const { revalidate } = useRevalidator();
  // Shown at once, and taken back where it was refused.
  const [wanted, setWanted] = useState<Partial<OpenChannels>>({});
  const [isWaiting, setIsWaiting] = useState(false);

  const shown = { ...open, ...wanted };
  const isUnreachable = contactState(shown) === 'none';

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
    <Card id="ways" role="region" aria-labelledby="ways-title" className="flex scroll-mt-4 flex-col gap-3">
      <h2 id="ways-title" className="font-bold text-xl">
        {ways.title}
      </h2>
      {isUnreachable ? (
        <div role="status">
          <Alert tone="warning" quiet>
            {ways.noneOpenForItem}
          </Alert>
        </div>
      ) : (
        <p className="text-ink-soft text-sm">{sayWhatIsOpen(ways, shown)}</p>
      )}
      {!areChosen && <WaysChoice ownerId={ownerId} />}
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
      <p role="status" className="font-medium text-sm empty:hidden">
        {isWaiting && ways.notSavedYet}
      </p>
      {!areChosen && <p className="text-ink-soft text-xs">{ways.hint}</p>}
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

function sayWhatIsOpen(ways: Messages['ways'], open: OpenChannels): string {
  const channels = CHANNELS.filter((channel) => open[channel]);
  if (channels.every((channel) => channel === 'message')) return ways.messageOpen;
  return ways.open(channels.map((channel) => ways.names[channel]));
}
