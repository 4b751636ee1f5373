import type { Messages } from '#domain/messages/en.ts';

/** What the enhancement may have to say. It travels in the document, so that the script knows no language. */
export interface EnhancementTexts {
  readonly messageSent: string;
  readonly sending: string;
  readonly send: string;
  readonly retrying: string;
  readonly offline: string;
  readonly failed: string;
  readonly shared: string;
  readonly linkCopied: string;
  readonly shareFailed: string;
  readonly openLink: string;
  /** Why the owner could not be asked for. */
  readonly ownerOffline: string;
  readonly ownerUnanswered: string;
  readonly opened: { readonly whatsapp: string; readonly call: string; readonly email: string };
}

export function enhancementTexts({ finder, toasts, common, ownerRetrieval }: Messages): EnhancementTexts {
  return {
    messageSent: toasts.messageSent,
    sending: finder.sending,
    send: finder.send,
    retrying: finder.tryAgainBy,
    offline: common.offline,
    failed: common.anErrorOccurred,
    shared: toasts.shared,
    linkCopied: toasts.linkCopied,
    shareFailed: toasts.shareFailed,
    openLink: finder.openLink,
    ownerOffline: ownerRetrieval.failed(ownerRetrieval.offline),
    ownerUnanswered: ownerRetrieval.failed(ownerRetrieval.unanswered),
    opened: { whatsapp: toasts.whatsAppOpened, call: toasts.phoneOpened, email: toasts.emailOpened },
  };
}
