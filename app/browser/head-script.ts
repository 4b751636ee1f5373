// Must run first: all later scripts rely on storage.
import './storage-script.ts';
import { applyCachedFont } from '#app/ui/style/cached-font.ts';

applyCachedFont();
