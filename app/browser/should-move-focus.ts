/**
 * Whether to move the focus away from the button before it is disabled, which would lose the focus. Not on a touch
 * screen: focusing a field would open the keyboard over what was just sent.
 */
export function shouldMoveFocus(button: HTMLButtonElement): boolean {
  if (document.activeElement !== button) return false;
  return button.matches(':focus-visible') || !matchMedia('(pointer: coarse)').matches;
}
