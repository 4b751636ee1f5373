import type { ReactNode } from 'react';
import { WithName } from '#app/ui/with-name.tsx';
import { MESSAGE_STATES, type MessageState, type MessageProgress as Progress } from '#domain/contact/conversation.ts';
import type { FinderViewLanguage } from '#domain/finder-language.ts';
import { momentInUtc } from './moment-in-utc.ts';

interface MessageProgressProps {
  readonly language: FinderViewLanguage;
  readonly owner: string;
  /** Null or undefined where there is none to show. */
  readonly progress: Progress | null | undefined;
}

/**
 * What became of the finder's latest message, and what happens next. Of its lines the script shows the one that applies.
 */
export function MessageProgress({ language, owner, progress }: MessageProgressProps) {
  const { sent, sentNext, delivered, contacted, seen, next } = language.texts.conversation;
  const seenAt = progress?.seen_at ?? null;
  const time = <time dateTime={seenAt ?? undefined}>{seenAt !== null && momentInUtc(seenAt, language)}</time>;
  const lines: Readonly<Record<MessageState, ReactNode>> = {
    sent,
    delivered,
    contacted,
    seen: <WithName of={seen} name={time} />,
  };
  return (
    <div role="status" className="px-1 text-end text-ink-soft text-sm">
      {MESSAGE_STATES.map((state) => (
        <p key={state} data-state={state} hidden={progress?.state !== state}>
          <strong>{lines[state]}</strong> <WithName of={state === 'sent' ? sentNext : next} name={owner} />
        </p>
      ))}
    </div>
  );
}
