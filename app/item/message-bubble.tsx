import type { LiHTMLAttributes, ReactNode } from 'react';
import { classNames } from '#app/ui/class-names.ts';

interface MessageBubbleProps extends LiHTMLAttributes<HTMLLIElement> {
  /** Whether the current viewer wrote it. */
  readonly mine: boolean;
  readonly author: ReactNode;
  /** When it was sent, or its state. */
  readonly moment: ReactNode;
  /** Highlights the message. */
  readonly marked?: boolean;
  /** What it says beside the text, such as a tap and a place, by line. */
  readonly said?: readonly string[];
  /** As written: links are not clickable, and its text direction is isolated. */
  readonly body: string;
  /** The language (BCP 47) that the text is written in, where it is known. */
  readonly language?: string | null;
  /** In which language it was typed, in words, where that is not the reader's. */
  readonly note?: string | null;
  readonly children?: ReactNode;
}

/** One message of a conversation. */
export function MessageBubble({
  mine,
  author,
  moment,
  marked = false,
  said = [],
  body,
  language,
  note,
  children,
  ...rest
}: MessageBubbleProps) {
  return (
    <li
      {...rest}
      className={classNames(
        'flex max-w-[92%] flex-col gap-1 rounded-lg border px-4 py-3',
        mine ? 'self-end rounded-ee-sm bg-primary-soft' : 'self-start rounded-ss-sm bg-surface',
        marked ? 'border-tag-strong' : 'border-line',
      )}
    >
      <p className="flex flex-wrap items-center gap-x-2 text-ink-soft text-xs">
        <bdi className="font-semibold">{author}</bdi>
        {moment}
        {note}
      </p>
      <p dir="auto" data-said="" className="wrap-anywhere whitespace-pre-line font-medium empty:hidden">
        {said.join('\n')}
      </p>
      <p
        dir="auto"
        data-body=""
        lang={language ?? undefined}
        className="wrap-anywhere whitespace-pre-line empty:hidden"
      >
        {body}
      </p>
      {children}
    </li>
  );
}
