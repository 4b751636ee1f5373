/** The page that browsers show in place of one that could not be fetched. */
export const offlineEn = {
  offlinePage: {
    pageTitle: (product: string) => `No connection – ${product}`,
    title: 'No connection',
    text: 'We couldn’t load this page. It will open on its own as soon as you’re connected. Everything you saved is safe.',
  },
};
