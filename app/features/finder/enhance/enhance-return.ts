import type { Conversation } from '#domain/contact/conversation.ts';
import { shareLink } from './enhance-share.ts';
import type { Enhancement } from './enhancement.ts';

/**
 * Makes the private link one to share or copy: opening it here would lead to where the finder is. Returns a function that
 * shows the return code and the link of a conversation.
 */
export function enhanceReturn({ root, texts, signal, toast }: Enhancement): (conversation: Conversation) => void {
  const pass = root.querySelector<HTMLDetailsElement>('[data-return]');
  const link = pass?.querySelector<HTMLAnchorElement>('[data-return-link]');
  link?.addEventListener(
    'click',
    (event) => {
      event.preventDefault();
      void shareLink(link.href, { texts, toast });
    },
    { signal },
  );
  return ({ return_code, return_path, has_others }) => {
    if (!pass || !link) return;
    const code = pass.querySelector('[data-return-code]');
    if (code !== null) code.textContent = return_code;
    link.href = return_path;
    // After the first message, what the code is for is shown too.
    if (pass.hidden) pass.open = true;
    pass.hidden = false;
    // With the way to be told of replies by email.
    if (pass.parentElement !== null) pass.parentElement.hidden = false;
    const others = root.querySelector<HTMLElement>('[data-others]');
    if (others !== null) others.hidden = !has_others;
    const form = root.querySelector<HTMLElement>('#wrote-before');
    if (form !== null) form.hidden = true;
  };
}
