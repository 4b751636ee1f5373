import type { Page } from '@playwright/test';
import { CLOSE, OPEN } from './pseudo-messages.ts';

/**
 * What is not in the language of the page, although it stands on it:
 * - what people wrote, and names, codes and addresses: their elements say so
 * - names of languages and of typefaces, in their own letters
 * - drawn texts, such as the stickers on a sheet
 */
const EXCEPTIONS =
  'script, style, noscript, textarea, [translate="no"], [dir="auto"], bdi, body [lang], [role="img"], svg, code, pre, kbd';
const ATTRIBUTES = ['placeholder', 'aria-label', 'aria-description', 'aria-valuetext', 'title', 'alt', 'label'];

/** Returns the texts of the page that are in no message: those with Latin letters outside of the brackets. */
export function untranslatedTexts(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ open, close, exceptions, attributes }) => {
      const found: string[] = [];
      let depth = 0;
      /** The letters outside of brackets, which may span several elements. */
      const outside = (text: string) => {
        let rest = '';
        for (const letter of text) {
          if (letter === open) depth += 1;
          else if (letter === close) depth -= 1;
          else if (depth === 0) rest += letter;
        }
        return rest;
      };
      /** Except the product's name, the name that an item of the story was stored with, and addresses. */
      const note = (text: string, where: string) => {
        if (/\p{Script=Latin}{2}/u.test(text.replaceAll(/Reunite|My Tagged Item|\S+@\S+/g, '')))
          found.push(`${where}: ${text.trim()}`);
      };
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const { parentElement, textContent } = walker.currentNode;
        if (parentElement === null || textContent === null) continue;
        if (parentElement.closest(exceptions) !== null || !parentElement.checkVisibility()) continue;
        note(outside(textContent), parentElement.localName);
      }
      if (depth !== 0) found.push(`${depth} brackets are not closed`);
      for (const element of document.querySelectorAll('body *')) {
        if (element.closest('[translate="no"], [dir="auto"]:not(input, textarea), bdi, body [lang]') !== null) continue;
        for (const name of attributes) {
          depth = 0;
          note(outside(element.getAttribute(name) ?? ''), `${element.localName}[${name}]`);
        }
      }
      depth = 0;
      // The name of what the screen is about.
      const subject = document.querySelector('h1 bdi')?.textContent ?? '';
      note(outside(document.title.replace(subject, '')), 'title');
      return [...new Set(found)];
    },
    { open: OPEN, close: CLOSE, exceptions: EXCEPTIONS, attributes: ATTRIBUTES },
  );
}
