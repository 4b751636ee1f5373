const PUBLIC = '/storage/v1/object/public/';
/** The longer side of the small size, in pixels. */
const SMALL = 320;

/** Returns the URL of an item's photo in full size. */
export function photoAddress(name: string): string {
  return `${PUBLIC}item-photos/${encodeURIComponent(name)}`;
}

/** Returns the URL of the small size of a photo. */
export function smallPhotoAddress(address: string): string {
  return `${address.replace(PUBLIC, '/storage/v1/render/image/public/')}?width=${SMALL}`;
}
