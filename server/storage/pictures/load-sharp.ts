type Sharp = typeof import('sharp')['default'];

let loaded: Promise<Sharp> | undefined;

/** Loads the library of pictures with the first one: it takes 25 MB of memory. */
export function loadSharp(): Promise<Sharp> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  // Of the formats the library supports (SVG, PDF, GIF, TIFF, text …), only those that cameras and browsers produce are
  // enabled.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
  });
  // Decoding 40 megapixels takes about 200 MB, so pictures are processed one at a time, in one thread and without a cache.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}
