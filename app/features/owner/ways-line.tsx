import { useMessages } from '#app/lib/use-messages.ts';
import { QuietLine } from '#app/ui/quiet-line.tsx';
import { CHANNELS, type OpenChannels } from '#domain/found-item.ts';
import { WaysChoice } from './ways-choice.tsx';

interface WaysLineProps {
  readonly ownerId: string;
  /** What holds for the account. */
  readonly open: OpenChannels;
}

/** Says once which ways are open to finders, and offers to leave only messages open. */
export function WaysLine({ ownerId, open }: WaysLineProps) {
  const { ways } = useMessages();
  const names = CHANNELS.filter((channel) => open[channel]).map((channel) => ways.names[channel]);
  return (
    <QuietLine>
      <p className="py-2">{ways.line(names)}</p>
      <WaysChoice ownerId={ownerId} inline />
    </QuietLine>
  );
}
