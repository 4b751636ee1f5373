import type { Enhancement } from './enhancement.ts';
import { postForm } from './post-form.ts';

/** A browser opens another program only this long after a tap (HTML: transient activation, about 5 s). */
const ACTIVATION_MS = 4_000;

/**
 * Asks for the address of the chosen way and opens it, without leaving the page. The button becomes the link itself,
 * so that a second tap opens at once, also when the answer came too late for the browser to open it by itself.
 */
export function enhanceContact({ root, texts, signal, toast }: Enhancement): void {
  for (const form of root.querySelectorAll<HTMLFormElement>('[data-contact]')) {
    const button = form.querySelector('button');
    if (button === null) continue;

    const open = async () => {
      const startedAt = performance.now();
      const hadFocus = document.activeElement === button;
      button.disabled = true;
      const answer = await postForm<{ href: string }>(form, {}, signal);
      button.disabled = false;
      if (!answer.ok) {
        if (hadFocus) button.focus();
        toast(answer.problem ?? (navigator.onLine ? texts.ownerUnanswered : texts.ownerOffline));
        return;
      }
      const link = document.createElement('a');
      link.href = answer.value.href;
      link.className = button.className;
      link.append(...Array.from(button.childNodes, (node) => node.cloneNode(true)));
      button.replaceWith(link);
      link.focus();
      if (performance.now() - startedAt > ACTIVATION_MS) {
        toast(texts.openLink);
        return;
      }
      location.href = link.href;
      // The form's own attribute, which the page wrote.
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
