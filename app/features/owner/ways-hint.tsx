import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/lib/browser-client.ts';
import { chooseWays } from '#app/lib/channels.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { CHANNELS, contactState, type OpenChannels } from '#domain/found-item.ts';
import type { Messages } from '#domain/messages/en.ts';

interface WaysHintProps {
  readonly ownerId: string;
  /** What holds here: for one item, or for the account. */
  readonly open: OpenChannels;
}

/** Says once which ways are open to finders, and offers to leave only messages open. */
export function WaysHint({ ownerId, open }: WaysHintProps) {
  const { ways } = useMessages();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState<'messagesOnly' | 'keepAll' | null>(null);

  const choose = async (choice: 'messagesOnly' | 'keepAll') => {
    setBusy(choice);
    try {
      await chooseWays(await browserClient(), ownerId, choice === 'messagesOnly');
      showToast('success', choice === 'messagesOnly' ? ways.messagesOnlyDone : ways.keptDone, { about: 'ways' });
      await revalidate();
    } catch {
      showToast('failure', ways.failed, { about: 'ways' });
    }
    setBusy(null);
  };

  return (
    <section
      aria-labelledby="ways-title"
      className="flex flex-col gap-3 rounded-lg border border-tag-strong/60 bg-tag-soft p-5"
    >
      <h2 id="ways-title" className="font-bold text-lg">
        {ways.title}
      </h2>
      <p className="max-w-2xl text-sm">{saidOfWays(ways, open)}</p>
      <div className="flex flex-wrap gap-2 sm:gap-3">
        <Button
          variant="outline"
          className="grow sm:grow-0"
          busy={busy === 'messagesOnly'}
          disabled={busy !== null}
          onClick={() => void choose('messagesOnly')}
        >
          {ways.messagesOnly}
        </Button>
        <Button
          variant="outline"
          className="grow sm:grow-0"
          busy={busy === 'keepAll'}
          disabled={busy !== null}
          onClick={() => void choose('keepAll')}
        >
          {ways.keepAll}
        </Button>
      </div>
      <p className="text-ink-soft text-xs">{ways.hint}</p>
    </section>
  );
}

function saidOfWays(ways: Messages['ways'], open: OpenChannels): string {
  if (contactState(open) === 'none') return ways.noneOpenForItem;
  const channels = CHANNELS.filter((channel) => open[channel]);
  if (channels.every((channel) => channel === 'message')) return ways.messageOpen;
  return ways.open(channels.map((channel) => ways.names[channel]));
}
