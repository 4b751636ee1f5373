import type { Enhancement } from './enhancement.ts';
import { postForm } from './post-form.ts';

/** A browser opens another program only for this long after a tap (HTML, transient activation: about 5 s). */
const ACTIVATION_MS = 4_000;

/**
 * Requests the address of the chosen contact method and opens it without leaving the page. The button becomes a link,
 * so that a second tap opens it at once, also where the response came too late for the browser to open it
 * automatically.
 */
export function enhanceContact({ root, texts, signal, toast }: Enhancement): void {
  for (const form of root.querySelectorAll<HTMLFormElement>('[data-contact]')) {
    const button = form.querySelector('button');
    if (button === null) continue;

    const open = async () => {
      const startedAt = performance.now();
      const hadFocus = document.activeElement === button;
      button.disabled = true;
      const response = await postForm<{ href: string }>(form, {}, signal);
      button.disabled = false;
      if (!response.ok) {
        if (hadFocus) button.focus();
        toast(response.problem ?? (navigator.onLine ? texts.ownerUnanswered : texts.ownerOffline));
        return;
      }
      const link = document.createElement('a');
      link.href = response.value.href;
      link.className = button.className;
      link.append(...Array.from(button.childNodes, (node) => node.cloneNode(true)));
      button.replaceWith(link);
      link.focus();
      if (performance.now() - startedAt > ACTIVATION_MS) {
        toast(texts.openLink);
        return;
      }
      location.href = link.href;
      // The form's own attribute, written by the page.
      toast(texts.opened[form.dataset.contact as keyof typeof texts.opened]);
    };
    form.addEventListener(
      'submit',
      (event) => {
        event.preventDefault();
        void open();
      },
      { signal },
    );
  }
}
