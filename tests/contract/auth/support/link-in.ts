/** The fields in the fragment of a link to a page of ours. */
export interface OwnLink {
  readonly page: string;
  readonly tokenHash: string;
  readonly type: string;
}

/** Returns the first link with a token to our own pages in a message. Throws where there is none. */
export function ownLinkIn({ text }: { readonly text: string }): OwnLink {
  const [link] = ownLinksIn({ text });
  if (link === undefined) throw new Error(`There is no link in: ${text}`);
  return link;
}

/** All of them. */
export function ownLinksIn({ text }: { readonly text: string }): OwnLink[] {
  return [...text.matchAll(/(https?:\/\/\S+)#(token_hash=\S+)/g)].map(([, page = '', fragment]) => {
    const fields = new URLSearchParams(fragment);
    return { page, tokenHash: fields.get('token_hash') ?? '', type: fields.get('type') ?? '' };
  });
}

/** Returns the link of the protocol for another site in a message. Throws where there is none. */
export function verifyLinkIn({ text }: { readonly text: string }): URL {
  const link = /https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(text)?.[0];
  if (link === undefined) throw new Error(`There is no link in: ${text}`);
  return new URL(link);
}
