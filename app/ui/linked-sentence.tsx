import { Fragment, type ReactNode } from 'react';

interface LinkedSentenceProps {
  /** The sentence's parts from the catalogue: text and links. */
  readonly parts: readonly ReactNode[];
  readonly className: string;
}

/** A sentence with links. */
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
