/** Fraction of a reply that must be in view for it to count as seen. */
const SEEN = 0.5;

/** Returns a function that shows the link to a reply until the reply has been in view. */
export function scrollToReply(link: HTMLElement, signal: AbortSignal): (response: Element) => void {
  const view = new IntersectionObserver(
    ([entry]) => {
      const isSeen = entry?.isIntersecting === true;
      link.hidden = isSeen;
      if (isSeen) view.disconnect();
    },
    { threshold: SEEN },
  );
  signal.addEventListener('abort', () => view.disconnect());
  return (response) => {
    view.disconnect();
    view.observe(response);
  };
}
