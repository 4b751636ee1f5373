/** Photos that finders send with their messages, in English. */
export const messagePhotoEn = {
  add: 'Add a photo',
  /** For who cannot see it. */
  yours: 'The photo that you sent',
  ofFinder: 'The photo that the finder sent',
  /** The message was sent. */
  refused: 'Your message was sent without the photo. Please choose another picture of up to 12 MB.',
  tooMany: 'Your message was sent without the photo. No more photos can be sent at the moment.',
  busy: 'Your message was sent without the photo. Please try the photo again in a minute.',
  unknown: 'Your message was sent. It can have no more photos.',
};
