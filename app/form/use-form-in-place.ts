import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';

interface FormInPlace {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
  /** The id of an element of the form, or around it. */
  readonly placeId: string;
  /** Of the button that opens the form, shown while it is closed. */
  readonly opener: RefObject<HTMLButtonElement | null>;
}

/**
 * A form that takes the place of the button that opens it. Its first field gets the focus, and the button again when the
 * form is closed. A form that is open from the start takes no focus.
 */
export function useFormInPlace(isOpenAtFirst = false): FormInPlace {
  const placeId = useId();
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpenAtFirst);
  useLayoutEffect(() => {
    if (isOpen === wasOpen.current) return;
    const next = isOpen
      ? document.getElementById(placeId)?.querySelector<HTMLElement>(':is(input, textarea):not([hidden])')
      : opener.current;
    // The form's code may still be loading.
    if (isOpen && !next) return;
    wasOpen.current = isOpen;
    next?.focus({ preventScroll: !isOpen });
  });
  return { isOpen, placeId, open: () => setIsOpen(true), close: () => setIsOpen(false), opener };
}
