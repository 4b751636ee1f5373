import type { MessageProgress } from '#domain/contact/conversation.ts';
import { showLocally } from './show-locally.ts';

/** Shows what became of the finder's latest message; nothing after a reply. */
export function showProgress(section: HTMLElement, progress: MessageProgress | null): void {
  for (const line of section.querySelectorAll<HTMLElement>('[data-state]')) {
    line.hidden = line.dataset.state !== progress?.state;
    const time = line.querySelector('time');
    if (time === null) continue;
    if (progress?.seen_at) time.dateTime = progress.seen_at;
    showLocally(time);
  }
}
