/** How much of an answer is in view when it counts as seen. */
const SEEN = 0.5;

/** Returns how to have the link shown that leads to an answer, for as long as that one has not been in view. */
export function leadToAnswer(link: HTMLElement, signal: AbortSignal): (answer: Element) => void {
  const view = new IntersectionObserver(
    ([entry]) => {
      const isSeen = entry?.isIntersecting === true;
      link.hidden = isSeen;
      if (isSeen) view.disconnect();
    },
    { threshold: SEEN },
  );
  signal.addEventListener('abort', () => view.disconnect());
  return (answer) => {
    view.disconnect();
    view.observe(answer);
  };
}
