import type { LiHTMLAttributes, ReactNode } from 'react';
import { classNames } from '#app/ui/class-names.ts';

interface MessageBubbleProps extends LiHTMLAttributes<HTMLLIElement> {
  /** Whether whoever looks at it wrote it. */
  readonly mine: boolean;
  readonly author: string;
  /** When it was sent, or what became of it. */
  readonly moment: ReactNode;
  /** To be looked at first. */
  readonly marked?: boolean;
  /** As it was written: a link in it is none, and its direction ends with it. */
  readonly body: string;
  readonly children?: ReactNode;
}

/** One message of a conversation. */
export function MessageBubble({ mine, author, moment, marked = false, body, children, ...rest }: MessageBubbleProps) {
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
      </p>
      <p dir="auto" data-body="" className="wrap-anywhere whitespace-pre-line">
        {body}
      </p>
      {children}
    </li>
  );
}
