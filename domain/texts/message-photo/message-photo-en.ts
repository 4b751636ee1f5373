/** Photos that finders send with their messages, in English. */
export const messagePhotoEn = {
  add: 'Add a photo',
  /** For who cannot see it. */
  yours: 'The photo you sent',
  ofFinder: 'The photo the finder sent',
  /** The message was sent. */
  refused: 'Your message was sent, but we couldn’t add the photo. Choose another picture of up to 12 MB.',
  tooMany: 'Your message was sent, but we couldn’t add the photo. You can’t send more photos right now.',
  busy: 'Your message was sent, but we couldn’t add the photo. Please try the photo again in a minute.',
  full: 'Your message was sent, but we can’t take photos right now. You can describe what you see in another message.',
  unknown: 'Your message was sent. You can’t add more photos to it.',
};
