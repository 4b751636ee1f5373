import type { Typeset, Typesetter } from '#domain/stickers/typesetting/typesetter.ts';

export type TypesetResult = Typeset | { readonly kind: 'failed'; readonly reason: string };

/** Where our own build has the fonts, by their paths. Only those that a text needs are fetched. */
const ADDRESSES: Readonly<Record<string, string>> = import.meta.glob(
  [
    '/node_modules/@fontsource-variable/noto-sans/files/*-wght-normal.woff2',
    '/node_modules/@fontsource-variable/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-wght-normal.woff2',
    '/node_modules/@fontsource-variable/noto-sans-arabic/files/noto-sans-arabic-arabic-wght-normal.woff2',
    '/node_modules/@fontsource-variable/noto-sans-{jp,sc}/files/*-[0-9]*-wght-normal.woff2',
  ],
  { eager: true, query: '?url', import: 'default' },
);

// The shaper waits for its WebAssembly when it is evaluated. Imported statically, it would delay the listener below, and a
// message that arrives earlier is lost.
const opening: Promise<Typesetter> = import('#domain/stickers/typesetting/typesetter.ts').then(({ createTypesetter }) =>
  createTypesetter({ load: fetchFont, languages: navigator.languages }),
);
// Reported with the first text.
opening.catch(() => undefined);

/** Sets each text. A worker, because only its own policy allows WebAssembly. */
addEventListener('message', ({ data: text }: MessageEvent<string>) => {
  opening
    .then((typeset) => typeset(text))
    .then(respond, (error: unknown) => respond({ kind: 'failed', reason: String(error) }));
});

function respond(result: TypesetResult): void {
  postMessage(result);
}

async function fetchFont(path: string): Promise<Uint8Array> {
  const address = ADDRESSES[`/node_modules/@fontsource-variable/${path}`] ?? '';
  const response = await fetch(address);
  if (!response.ok) throw new Error(`A font could not be fetched: ${address}`);
  return new Uint8Array(await response.arrayBuffer());
}
