import { useEffect, useEffectEvent } from 'react';

/** Calls back for a character that is typed into no field, while no dialog is open. */
export function useShortcut(character: string, onTyped: () => void): void {
  const callback = useEffectEvent(onTyped);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== character || event.ctrlKey || event.metaKey || event.altKey) return;
      const { activeElement } = document;
      if (
        activeElement?.matches('input, textarea, select, [contenteditable]') ||
        document.querySelector('[data-sheet]') !== null
      )
        return;
      event.preventDefault();
      callback();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [character]);
}
