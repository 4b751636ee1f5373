/**
 * Makes a change above an element without moving the element on screen: the user may be touching it or typing in it.
 */
export function keepInPlace(element: Element | null, change: () => void): void {
  const before = element?.getBoundingClientRect().top;
  change();
  if (element === null || before === undefined || before > innerHeight) return;
  scrollBy({ top: element.getBoundingClientRect().top - before, behavior: 'instant' });
}
