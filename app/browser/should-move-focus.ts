/**
 * Whether the focus lies on the button and should be moved on before the button is disabled, which would lose it. Where
 * only a finger led there it should not: a field that gets the focus raises the keyboard over what was just sent.
 */
export function shouldMoveFocus(button: HTMLButtonElement): boolean {
  if (document.activeElement !== button) return false;
  return button.matches(':focus-visible') || !matchMedia('(pointer: coarse)').matches;
}
