/** Photos of items and pictures of people, in English. */
export const photosEn = {
  photos: {
    item: {
      title: 'Photo',
      hint: 'A photo helps a finder to be sure that it is yours. Whoever scans the sticker can see it, so leave out faces, papers and addresses.',
      add: 'Take or choose a photo',
      replace: 'Replace the photo',
      remove: 'Remove the photo',
      of: (itemName: string) => `Photo of ${itemName}`,
      saved: 'Photo saved',
      removed: 'Photo removed',
    },
    avatar: {
      title: 'Your picture',
      hint: 'Only you see it.',
      add: 'Choose a picture',
      replace: 'Replace the picture',
      remove: 'Remove the picture',
      alt: 'Your picture',
      saved: 'Picture saved',
      removed: 'Picture removed',
    },
    preparing: 'Getting the picture ready...',
    uploading: (percent: number) => `Uploading... ${percent} %`,
    saving: 'Saving...',
    waiting: 'The change is not saved yet, because the service cannot be reached. We are trying again...',
    progress: 'Progress of the upload',
    cancel: 'Cancel',
    tryAgain: 'Try again',
    removeFailed: 'It could not be removed. Please try again.',
    problems: {
      unreadable: 'This file is no picture that can be read here. Please choose a photo, such as a JPEG or a PNG.',
      offline:
        'There is no connection, so the picture is not saved yet. It is kept here: try again when you are online.',
      full: 'There is no room left for more pictures in this account. Remove some first.',
      tooMany: 'Those were many pictures in a short time. Please try again later.',
      failed: 'The picture could not be saved. Please try again.',
    },
  },
} as const;
