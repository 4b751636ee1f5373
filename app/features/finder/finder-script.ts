import { enhanceFinder } from './enhance-finder.ts';
import { handOverToApp } from './hand-over-to-app.ts';

handOverToApp(document.documentElement.dataset.storagePrefix ?? '');
for (const root of document.querySelectorAll<HTMLElement>('[data-finder]')) enhanceFinder(root);
