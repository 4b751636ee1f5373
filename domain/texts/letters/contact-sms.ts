import type { LettersWords } from '#domain/words/compiled/types.ts';
import { nameOfOwner } from './second-contact-mail.ts';

interface ContactWords {
  readonly product: string;
  /** The owner's first name; null where there is none. */
  readonly owner: string | null;
  readonly link: string;
}

/** Text messages to second contacts. */
export function contactSms({ sms }: LettersWords) {
  return {
    /** To a person whom an owner named as a second contact. */
    contactInvitation({ product, owner, link }: ContactWords): string {
      const name = nameOfOwner(owner);
      return name === null
        ? sms.contactInvitationUnnamed({ product, link })
        : sms.contactInvitation({ product, owner: name, link });
    },

    /** The page has the button to leave. */
    contactNotice({ product, owner, link }: ContactWords): string {
      const name = nameOfOwner(owner);
      return name === null
        ? sms.contactNoticeUnnamed({ product, link })
        : sms.contactNotice({ product, owner: name, link });
    },

    /** About messages beyond those of the day; the link is to one of them. */
    contactDigest({ product, owner, count, link }: ContactWords & { readonly count: number }): string {
      const name = nameOfOwner(owner);
      return name === null
        ? sms.contactDigestUnnamed({ product, count, link })
        : sms.contactDigest({ product, owner: name, count, link });
    },
  };
}
