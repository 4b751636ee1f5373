/** Notifications in ntfy, in English, for owners who chose no texts for it: the topic may be public. */
export const ntfyEn = {
  message: ({ product }: { readonly product: string }) => ({
    title: `New message on ${product}`,
    body: `Open ${product} to read and reply.`,
  }),
};
