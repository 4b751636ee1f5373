const PUBLIC = '/storage/v1/object/public/';
/** The side that the small size has at most, in pixels. */
const SMALL = 320;

/** Where the photo of an item is, in full size, for whoever knows the name. */
export function photoAddress(name: string): string {
  return `${PUBLIC}item-photos/${encodeURIComponent(name)}`;
}

/** Where the small size of a photo is. */
export function smallPhotoAddress(address: string): string {
  return `${address.replace(PUBLIC, '/storage/v1/render/image/public/')}?width=${SMALL}`;
}
