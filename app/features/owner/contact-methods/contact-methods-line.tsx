import { formatList } from '#app/i18n/format-list.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { QuietLine } from '#app/ui/notice/quiet-line.tsx';
import { CONTACT_METHODS, type OpenContactMethods } from '#domain/contact/contact-methods.ts';
import { ContactMethodChoice } from './contact-method-choice.tsx';

interface ContactMethodsLineProps {
  readonly ownerId: string;
  /** What applies to the account. */
  readonly open: OpenContactMethods;
  /** Called when the owner has chosen, and the line is gone. */
  readonly onChosen: () => void;
}

/** Says once which contact methods are open to finders, and offers to leave only messages open. */
export function ContactMethodsLine({ ownerId, open, onChosen }: ContactMethodsLineProps) {
  const {
    tag,
    texts: { contactMethods },
  } = useLanguage();
  const names = CONTACT_METHODS.filter((channel) => open[channel]).map((channel) => contactMethods.names[channel]);
  return (
    <QuietLine>
      <p>{contactMethods.line(formatList(names, tag))}</p>
      <ContactMethodChoice ownerId={ownerId} inline onChosen={onChosen} />
    </QuietLine>
  );
}
