/** What a browser shows and cannot run. All else is saved instead of shown. */
const INLINE =
  /^(image\/(png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain|application\/(pdf|json))$/;

/** Documents, styles and programs, whatever else stands in the name: shown as the text that they are. */
const EXECUTABLE = /html|xml|svg|script|css|wasm|x-shockwave|multipart|message/;

/** The type that bytes of somebody else are served with, never one that runs, and whether it may be shown. */
export function safeContentType(type: string): { readonly type: string; readonly inline: boolean } {
  const essence = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (EXECUTABLE.test(essence)) return { type: 'text/plain;charset=UTF-8', inline: false };
  return { type, inline: INLINE.test(essence) };
}

/** The header that saves instead of shows; null where neither was asked for and it may be shown. */
export function contentDisposition(download: string | undefined, inline: boolean): string | null {
  if (download === undefined) return inline ? null : 'attachment';
  if (download === '') return 'attachment;';
  // The first is for clients that know no UTF-8 in headers (RFC 6266, section 5).
  const plain = download.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(download.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
