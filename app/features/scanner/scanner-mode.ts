/** `find` is for somebody who holds a thing that was lost, `tag` for whoever puts a sticker on their own. */
export type ScannerMode = 'find' | 'tag';
