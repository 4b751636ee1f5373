import type { BrowserContext, Page } from '@playwright/test';

/**
 * How a program that translates the page changes it.
 * - `insert`: an element with the translation is put before each text, and the text is removed, as Google Translate does
 * - `replace`: the element takes the text's place in one step
 * - `wrap`: the text is moved into an element
 */
export type Way = 'insert' | 'replace' | 'wrap';

/**
 * Has every page of the browser translated from its first text on, continuously, also texts that come later. A
 * translation has the same words, so that a test reads the page as usual.
 */
export async function translatePages(context: BrowserContext, way: Way = 'insert'): Promise<void> {
  await context.addInitScript((how: Way) => {
    const UNTOUCHED = 'script, style, noscript, title, textarea, [translate="no"], [data-translated]';

    const isOpen = (node: Node): node is Text =>
      node instanceof Text && node.data.trim() !== '' && !node.parentElement?.closest(UNTOUCHED);

    const fontWith = (content: Node): HTMLElement => {
      const outer = document.createElement('font');
      outer.dataset.translated = '';
      const inner = document.createElement('font');
      inner.append(content);
      outer.append(inner);
      return outer;
    };

    const translate = (text: Text) => {
      const words = text.data;
      if (how === 'replace') text.replaceWith(fontWith(new Text(words)));
      if (how === 'insert') {
        text.before(fontWith(new Text(words)));
        text.remove();
      }
      if (how === 'wrap') {
        const place = document.createComment('');
        text.replaceWith(place);
        place.replaceWith(fontWith(text));
      }
    };

    const look = (root: Node) => {
      if (isOpen(root)) return translate(root);
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      while (walker.nextNode()) if (isOpen(walker.currentNode)) found.push(walker.currentNode);
      for (const text of found) if (isOpen(text) && text.isConnected) translate(text);
    };

    new MutationObserver((records) => {
      for (const { target, type, addedNodes } of records) {
        if (type === 'characterData') look(target);
        for (const node of addedNodes) if (node.isConnected) look(node);
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  }, way);
}

/** Owners' first names in the story, codes on stickers and of tags, phone numbers, and the product's name. */
const LEFT_ALONE =
  /\bReunite\b|\b(?:Dana|Maya|Yael|Noa|Amit|Tamar)\b|\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}\b|\btgt-\w|\+\d{3}/;

/**
 * Returns the texts of the page with a name, a code, or a phone number that a program that translates the page would
 * change. What people wrote may be translated.
 */
export function translatedNames(page: Page): Promise<string[]> {
  return page.evaluate((source) => {
    const names = new RegExp(source);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walker.nextNode()) {
      const { textContent, parentElement } = walker.currentNode;
      // The names in a picture are examples, and the codes on a sheet are drawn.
      const isLeft = parentElement?.closest(
        'script, style, textarea, [translate="no"], [dir="auto"], [role="img"], svg',
      );
      if (textContent !== null && names.test(textContent) && !isLeft) found.push(textContent);
    }
    return found;
  }, LEFT_ALONE.source);
}
