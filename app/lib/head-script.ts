// First: what follows takes storage for granted, and so do all other scripts.
import './storage-script.ts';
import { applyCachedFont } from '#app/ui/cached-font.ts';

applyCachedFont();
