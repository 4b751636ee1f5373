/** Makes a change above an element that is in view, perhaps under a finger or typed in, and leaves it where it is. */
export function keepInPlace(element: Element | null, change: () => void): void {
  const before = element?.getBoundingClientRect().top;
  change();
  if (element === null || before === undefined || before > innerHeight) return;
  scrollBy({ top: element.getBoundingClientRect().top - before, behavior: 'instant' });
}
