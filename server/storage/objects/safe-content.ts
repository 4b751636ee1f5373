/** Types that a browser displays and cannot execute. All others are served as attachments. */
const INLINE =
  /^(image\/(png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain|application\/(pdf|json))$/;

/** A single type with its parameters. Of several in one header, browsers take the last (Fetch standard). */
const SINGLE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w-]+=("[^",;\\]*"|[^",;\s]+))*\s*;?$/;

/** Documents, styles and programs, wherever the word is in the type: served as plain text. */
const EXECUTABLE = /html|xml|svg|script|css|wasm|x-shockwave|multipart|message/;

/**
 * Returns the content type to serve an upload with, which is never executable, and whether it may be displayed inline.
 */
export function safeContentType(type: string): { readonly type: string; readonly inline: boolean } {
  const essence = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (EXECUTABLE.test(essence) || !SINGLE.test(type.trim())) return { type: 'text/plain;charset=UTF-8', inline: false };
  return { type, inline: INLINE.test(essence) };
}

/** Returns the Content-Disposition header, or null where the content may be displayed and no download was requested. */
export function contentDisposition(download: string | undefined, inline: boolean): string | null {
  if (download === undefined) return inline ? null : 'attachment';
  if (download === '') return 'attachment;';
  // The plain form is for clients without support for UTF-8 in headers (RFC 6266, section 5).
  const plain = download.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(download.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
