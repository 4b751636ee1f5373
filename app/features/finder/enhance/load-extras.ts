import type { FinderExtras } from '../extras/finder-extras.ts';

/** What most finders never need: photos, the phone's location, the clipboard, and phrases. The server puts its texts in front. */
const EXTRAS = '/finder-extras.js';

let loaded: Promise<FinderExtras> | undefined;

/**
 * Loads it, once for each page. By an element, because the document's policy lets its one script add scripts, and not import
 * modules. Rejects in browsers that do not know this, such as Safari before 15.4.
 */
export function loadExtras(): Promise<FinderExtras> {
  loaded ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = EXTRAS;
    script.onload = () => resolve(finderExtras);
    script.onerror = () => {
      // The next use tries again.
      loaded = undefined;
      reject();
    };
    document.head.append(script);
  });
  return loaded;
}
