/** What the scanner shows. */
export type View = 'camera' | 'problem' | 'typing' | 'checking' | 'foreign' | 'unknown' | 'failed';

/** Returns the element with this `data-part`. Throws where the document lacks it. */
export function partOf(dialog: HTMLElement, name: string): HTMLElement {
  const part = dialog.querySelector<HTMLElement>(`[data-part="${name}"]`);
  if (part === null) throw new Error(`The scanner has no ${name}.`);
  return part;
}

/** Shows or hides it. A drawing has no `hidden` of its own. */
export function showPart(dialog: HTMLElement, name: string, isShown: boolean): void {
  dialog.querySelector(`[data-part="${name}"]`)?.toggleAttribute('hidden', !isShown);
}

/** Puts into the part the text that its data has under this name. */
export function sayIn(dialog: HTMLElement, name: string, text: string): void {
  const part = partOf(dialog, name);
  part.textContent = part.dataset[text] ?? '';
}

/** Shows what belongs to the view, and nothing else. The focus stays in the dialog; a result takes it. */
export function showView(dialog: HTMLElement, view: View): void {
  const hadFocus = document.activeElement;
  for (const element of dialog.querySelectorAll<HTMLElement>('[data-view]')) {
    element.hidden = !element.dataset.view?.split(' ').includes(view);
  }
  const isLost = hadFocus?.closest('[hidden]') != null;
  const result = dialog.querySelector<HTMLElement>(`[data-view="${view}"][tabindex]`);
  if (result !== null) result.focus();
  else if (isLost) dialog.focus();
}
