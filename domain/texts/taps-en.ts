/** What a finder says with one tap, and where, in English. */
export const tapsEn = {
  taps: {
    /** The buttons, beside a field for the place. */
    buttons: { have_it: 'I have it', left_it: 'I left it at …', saw_it: 'I saw it here' },
    addPlace: 'Add a place',
    place: 'Where is it?',
    /** Sends the tap that asked for the place. */
    sendTap: 'Send',
    placeTooLong: (limit: number) => `Keep the place to ${limit} characters or fewer`,
    addLocation: 'Add my location',
    locationFailed: 'We couldn’t get your location',
    /** Before the coordinates. */
    willSend: 'We’ll send this location:',
    exact: 'Exact, to about a meter',
    leaveOut: 'Leave it out',
    /** What the buttons have said, and a photo without one of them, without and with a place. The photo may not have arrived. */
    said: { have_it: 'I have it', left_it: 'I left it', saw_it: 'I saw it here', photo: 'I took a photo' },
    saidAt: {
      have_it: (place: string) => `I have it at ${place}`,
      left_it: (place: string) => `I left it at ${place}`,
      saw_it: (place: string) => `I saw it at ${place}`,
      photo: (place: string) => `I took a photo at ${place}`,
      text: (place: string) => `Place: ${place}`,
    },
    /** Below a text, where the photo is not shown. */
    withPhoto: '(With a photo)',
    location: (coordinates: string) => `Location: ${coordinates}, to about a kilometer`,
    exactLocation: (coordinates: string) => `Exact location: ${coordinates}`,
    showOnMap: 'Show on a map',
  },
};
