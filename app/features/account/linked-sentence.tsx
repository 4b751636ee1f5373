import { Fragment, type ReactNode } from 'react';

interface LinkedSentenceProps {
  /** As the catalogue puts them together: words, and links around some of them. */
  readonly parts: readonly ReactNode[];
  readonly className: string;
}

/** A sentence that has links in it. */
export function LinkedSentence({ parts, className }: LinkedSentenceProps) {
  return (
    <p className={className}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position in the sentence
        <Fragment key={index}>{part}</Fragment>
      ))}
    </p>
  );
}
