/** The fields in the fragment of a link to a page of ours. */
export interface OwnLink {
  readonly page: string;
  readonly tokenHash: string;
  readonly type: string;
}

/** The one link to a page of ours with a token in a message. Throws where there is none. */
export function ownLinkIn({ text }: { readonly text: string }): OwnLink {
  const link = /(https?:\/\/\S+)#(token_hash=\S+)/.exec(text);
  const fields = new URLSearchParams(link?.[2]);
  const [page, tokenHash, type] = [link?.[1], fields.get('token_hash'), fields.get('type')];
  if (page === undefined || tokenHash === null || type === null) throw new Error(`There is no link in: ${text}`);
  return { page, tokenHash, type };
}

/** The link of the protocol in a message for another site. Throws where there is none. */
export function verifyLinkIn({ text }: { readonly text: string }): URL {
  const link = /https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(text)?.[0];
  if (link === undefined) throw new Error(`There is no link in: ${text}`);
  return new URL(link);
}
