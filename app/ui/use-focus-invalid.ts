import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus to the first refused field of a form, each time that `problems` changes. Returns the form's ref. */
export function useFocusInvalid(problems: object): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new problems are what moves the focus
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  return form;
}
