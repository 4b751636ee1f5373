/** The page that the browser shows in the place of one that could not be fetched. */
export const offlineEn = {
  offlinePage: {
    pageTitle: (product: string) => `No connection – ${product}`,
    title: 'No connection',
    text: 'This page could not be fetched. What you saved is safe, and the page appears by itself as soon as there is a connection.',
  },
};
