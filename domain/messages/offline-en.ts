/** The page that the browser shows in the place of one that could not be fetched. */
export const offlineEn = {
  offlinePage: {
    pageTitle: (product: string) => `No connection – ${product}`,
    title: 'No connection',
    text: 'This page could not be fetched. Nothing of yours is lost, and it appears by itself as soon as there is a connection.',
  },
};
