import type { FinderTexts } from '#domain/finder-language.ts';

/** What the parts of the enhancement share. */
export interface Enhancement {
  readonly root: HTMLElement;
  readonly texts: EnhancementTexts;
  /** Removes all listeners of the enhancement. */
  readonly signal: AbortSignal;
  /** Shows and announces a short notice over the page. */
  readonly toast: (text: string) => void;
}

/** The texts of the enhancement. They are part of the document, so that the script contains no language. */
export interface EnhancementTexts {
  readonly messageSent: string;
  readonly sending: string;
  readonly send: string;
  readonly retrying: string;
  readonly offline: string;
  readonly locationFailed: string;
  readonly shared: string;
  readonly linkCopied: string;
  readonly shareFailed: string;
  readonly openLink: string;
  /** Why the owner could not be called. */
  readonly ownerOffline: string;
  readonly ownerUnanswered: string;
  readonly opened: { readonly whatsapp: string; readonly call: string; readonly email: string };
}

export function enhancementTexts({ finder, toasts, common, ownerRetrieval, taps }: FinderTexts): EnhancementTexts {
  return {
    messageSent: toasts.messageSent,
    sending: finder.sending,
    send: finder.send,
    retrying: finder.tryAgainBy,
    offline: common.offline,
    locationFailed: taps.locationFailed,
    shared: toasts.shared,
    linkCopied: toasts.linkCopied,
    shareFailed: toasts.shareFailed,
    openLink: finder.openLink,
    ownerOffline: ownerRetrieval.failed(ownerRetrieval.offline),
    ownerUnanswered: ownerRetrieval.failed(ownerRetrieval.unanswered),
    opened: { whatsapp: toasts.whatsAppOpened, call: toasts.phoneOpened, email: toasts.emailOpened },
  };
}
