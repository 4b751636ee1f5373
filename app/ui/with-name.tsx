import { Fragment, type ReactNode } from 'react';

interface WithNameProps {
  /** A sentence of the catalogue. */
  readonly of: (name: string) => string;
  readonly name: ReactNode;
}

/** A private-use character (Unicode, section 23.5), which our texts never contain. */
const PLACE = '\uE0FF';

/**
 * A sentence with a name that a person chose, a time, or a number. It is isolated, so that a name in another direction, such
 * as a Hebrew name in an English sentence, does not reorder the words around it, and a number keeps the order of its
 * signs in a sentence from right to left. A browser that translates the page leaves it as it is.
 */
export function WithName({ of: sentence, name }: WithNameProps) {
  return sentence(PLACE)
    .split(PLACE)
    .map((text, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position in the sentence
      <Fragment key={index}>
        {index > 0 && <bdi translate="no">{name}</bdi>}
        {text}
      </Fragment>
    ));
}
