import { useEffect, useState, useSyncExternalStore } from 'react';

interface Announcement {
  readonly number: number;
  readonly text: string;
}

/** How long a screen reader can find it on the page, in milliseconds. */
const KEPT = 5_000;
/** How long the region is empty at first, in milliseconds. */
const EMPTY_AT_FIRST = 200;

let latest: Announcement | null = null;
const listeners = new Set<() => void>();

/** Tells a screen reader of a change that is seen on the screen. What is not to be seen there is a toast. */
export function announce(text: string): void {
  put({ number: (latest?.number ?? 0) + 1, text });
}

function put(next: Announcement | null): void {
  latest = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where announcements are read from, mounted with the notices. A region is read only if it is there before its text. */
export function Announcer() {
  const announcement = useSyncExternalStore(
    subscribe,
    () => latest,
    () => null,
  );
  const [isKnown, setIsKnown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsKnown(true), EMPTY_AT_FIRST);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (announcement === null) return;
    const timer = setTimeout(() => put(null), KEPT);
    return () => clearTimeout(timer);
  }, [announcement]);
  return (
    // A dialog hides everything outside of it but regions with this attribute.
    <p role="status" aria-live="polite" className="sr-only">
      {/* The same text is read again as another element. */}
      {isKnown && announcement !== null && <span key={announcement.number}>{announcement.text}</span>}
    </p>
  );
}
