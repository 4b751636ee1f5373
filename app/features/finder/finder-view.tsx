import { MessageCircle } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { ItemIcon } from '#app/item/item-icon.tsx';
import { smallPhotoAddress } from '#app/item/photo-address.ts';
import { classNames } from '#app/ui/class-names.ts';
import { Alert } from '#app/ui/notice/alert.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { contactState, leadsOutside } from '#domain/contact/contact-methods.ts';
import type { Conversation } from '#domain/contact/conversation.ts';
import type { PlacedTap } from '#domain/contact/message-details.ts';
import { type FinderTexts, type FinderViewLanguage, finderViewIn } from '#domain/finder-language.ts';
import type { FoundItem } from '#domain/item/found-item.ts';
import { namesMoney } from '#domain/item/names-money.ts';
import { ContactActions } from './contact-actions.tsx';
import { ConversationView } from './conversation-view.tsx';
import { enhanceFinder } from './enhance/enhance-finder.ts';
import { enhancementTexts } from './enhance/enhancement.ts';
import { DeskList, type NewMessage, type ShownDesks } from './hand-in/desk-list.tsx';
import { MessageForm } from './message-form.tsx';
import { itemInText, nameInText, ownerInText } from './name-in-text.ts';
import { ReturnForm, ReturnPass } from './return-pass.tsx';
import { TapFields } from './tap-fields.tsx';

export interface FinderViewProps {
  readonly code: string;
  /** The code as the sticker shows it, so that a finder sees that sticker and page belong together. */
  readonly typedCode: string;
  readonly item: FoundItem;
  readonly language: FinderViewLanguage;
  /** Whether the service sends emails. */
  readonly hasMail: boolean;
  /** The message just posted was delivered. */
  readonly sent?: boolean;
  /** Why the chosen contact method did not open. */
  readonly contactProblem?: string | undefined;
  /** Why the message was not sent. */
  readonly messageProblem?: string | undefined;
  /** Asks for a return code. */
  readonly returning?: boolean;
  /** Why a return code or a private link opened no conversation. */
  readonly returnProblem?: string | undefined;
  /** The key of a private link, which waits for a button. */
  readonly linkKey?: string | undefined;
  /** The return code that opened no conversation, as it was typed. */
  readonly typedReturnCode?: string | undefined;
  /** The text of a message that was not sent. */
  readonly typed?: string;
  readonly typedPlace?: string;
  /** The tap that was sent without its place. */
  readonly asked?: PlacedTap | undefined;
  /** Null where the finder has none; undefined where it has to be requested. */
  readonly conversation?: Conversation | null | undefined;
  /** Whether it ended because the item has a new owner. */
  readonly moved?: boolean;
  /** Where the item can be handed in; none where there is no desk. */
  readonly desks?: (ShownDesks & { readonly message?: NewMessage }) | undefined;
  /** Whether it is the finder's document, which has to be small, and not a screen of the app. */
  readonly isDocument?: boolean;
}

/**
 * The page of an item for anyone but its owner. Works as plain HTML; with JavaScript it enhances its own forms. It
 * never contains an owner's number or address.
 */
export function FinderView(props: FinderViewProps) {
  // Keyed by code: the enhancement of one item's forms must not carry over to another item's.
  return <Finder key={props.code} {...props} />;
}

/** The finder's page within the app, in the language of the screen. */
export function FinderScreen(props: Omit<FinderViewProps, 'language'>) {
  return <FinderView {...props} language={finderViewIn(useLanguage())} />;
}

function Finder(props: FinderViewProps) {
  const { code, item, language } = props;
  const texts = language.texts;
  const finderTexts = texts.finder;
  const owner = ownerInText(item.owner_first_name, texts);
  const hasSpoken = (props.conversation?.messages.length ?? 0) > 0;
  const name = itemInText(item, texts);
  const hasReply = props.conversation?.messages.some(({ sender }) => sender !== 'finder') ?? false;
  // A finder returns for the reply, so it comes first; so does the thank-you.
  const hasNews = props.moved || props.conversation?.returned || hasReply;
  const root = useRef<HTMLDivElement>(null);

  // In the app only. In the finder's document effects do not run, and its script does the same.
  useEffect(() => (root.current === null ? undefined : enhanceFinder(root.current)), []);

  // The first message needs no writing.
  const tapsComeFirst = item.channels.message && !hasSpoken;
  const isContactBelowTaps = tapsComeFirst && leadsOutside(item.channels);
  const contact = (
    <ContactActions
      code={code}
      channels={item.channels}
      texts={texts}
      owner={owner}
      limited={contactState(item.channels) === 'limited' && item.has_contact_details}
      problem={props.contactProblem}
    />
  );
  // The form follows the conversation, as in messengers.
  const conversationPart = (
    <div id="message" className="flex scroll-mt-4 flex-col gap-4 not-has-[>:not([hidden])]:hidden">
      {props.moved && (
        <Alert tone="info">
          <strong>{texts.conversation.movedTitle}</strong> {texts.conversation.movedText}
        </Alert>
      )}
      <ConversationView
        code={code}
        language={language}
        owner={owner}
        conversation={props.conversation}
        isOpen={item.channels.message}
        withoutParts={props.isDocument ?? false}
      />
      {tapsComeFirst && (
        <div className="flex flex-col gap-1 not-has-[button]:hidden">
          <TapFields texts={texts} typedPlace={props.typedPlace ?? ''} asked={props.asked} isFirst />
        </div>
      )}
      {isContactBelowTaps && contact}
      {item.channels.message ? (
        <MessageForm
          code={code}
          language={language}
          owner={owner}
          sent={props.sent ?? false}
          problem={props.messageProblem}
          typed={props.typed ?? ''}
          typedPlace={props.typedPlace ?? ''}
          asked={props.asked}
          hasSpoken={hasSpoken}
          hasReply={hasReply}
          isAsked={props.conversation === undefined}
          isOnlyWay={!leadsOutside(item.channels)}
        />
      ) : (
        props.messageProblem !== undefined && <Alert>{props.messageProblem}</Alert>
      )}
      <div data-pass="" hidden={!hasSpoken} className="flex flex-col gap-1">
        {(props.conversation !== null || !props.isDocument) && (
          <ReturnPass
            code={code}
            texts={texts}
            owner={owner}
            conversation={props.conversation}
            isNew={props.sent ?? false}
            hasMail={props.hasMail}
          />
        )}
      </div>
      {!props.returning && (
        <a
          id="wrote-before"
          href={`/item/${code}/back`}
          hidden={hasSpoken}
          className="px-1 py-3 font-semibold text-primary text-sm hover:underline"
        >
          {texts.conversation.wroteBefore}
        </a>
      )}
    </div>
  );

  return (
    <div
      ref={root}
      data-finder=""
      data-texts={JSON.stringify(enhancementTexts(texts))}
      className="mx-auto flex w-full max-w-xl flex-col gap-4 px-4 pb-8 sm:px-6"
    >
      <section className="overflow-hidden rounded-xl bg-night text-on-night shadow-raised">
        <div className="flex items-center gap-3 px-4 py-3 sm:p-6">
          {item.photo === null ? (
            <span className="grid size-18 shrink-0 place-content-center rounded-lg bg-tag text-on-tag">
              <ItemIcon type={item.item_type} className="size-9" />
            </span>
          ) : (
            <a href={item.photo} className="shrink-0 rounded-lg">
              <img
                src={smallPhotoAddress(item.photo)}
                alt={texts.photo.of(nameInText(item, texts))}
                width={96}
                height={96}
                decoding="async"
                className="size-[clamp(4rem,45vw-5rem,6rem)] rounded-lg object-cover"
              />
            </a>
          )}
          <div className="min-w-0">
            {name !== null && <p className="text-on-night-soft text-sm">{finderTexts.youFound}</p>}
            <h1 className="wrap-anywhere font-bold text-[clamp(1.25rem,6.2vw,1.5rem)]/tight">
              {name === null ? <WithName of={finderTexts.foundSomethingOf} name={owner} /> : <bdi>{name}</bdi>}
            </h1>
            <p className="wrap-anywhere text-base/tight">
              {name !== null && <WithName of={finderTexts.belongsTo} name={owner} />}{' '}
              <span className="text-on-night-soft">{finderTexts.thanks}</span>
            </p>
          </div>
        </div>
        {item.lost && (
          <p className="bg-tag px-4 py-2 font-medium text-on-tag text-sm sm:px-6">
            <strong>{finderTexts.lostTitle}</strong> <WithName of={finderTexts.lostText} name={owner} />
          </p>
        )}
        {(item.reward !== null || item.note_to_finders !== null) && (
          <div className="flex flex-col gap-2 border-on-night/20 border-t px-4 py-3 sm:px-6">
            {item.reward !== null && (
              <Note
                title={<WithName of={finderTexts.rewardFrom} name={owner} />}
                hint={namesMoney(item.reward) ? finderTexts.rewardHint : undefined}
              >
                {item.reward}
              </Note>
            )}
            {item.note_to_finders !== null && (
              <Note title={<WithName of={finderTexts.noteFrom} name={owner} />}>{item.note_to_finders}</Note>
            )}
          </div>
        )}
      </section>

      {props.returning && (
        <ReturnForm
          code={code}
          texts={texts}
          problem={props.returnProblem}
          typed={props.typedReturnCode}
          linkKey={props.linkKey}
        />
      )}
      {hasNews && conversationPart}
      {!hasSpoken && <HardToReach item={item} texts={texts} />}
      {!hasNews && conversationPart}
      {!isContactBelowTaps && contact}
      {props.desks !== undefined && (
        <section>
          <h2 className="py-2 font-bold">{props.desks.words.title}</h2>
          <DeskList code={code} {...props.desks} takesMessages={item.channels.message} />
        </section>
      )}

      <p className="text-center text-ink-soft text-sm">
        <WithName of={texts.typedCode.ofSticker} name={props.typedCode} />
      </p>
      <a href={`/item/${code}/report`} className="self-center px-3 py-3 text-ink-soft text-sm underline hover:text-ink">
        {finderTexts.report}
      </a>
      <ReplyLink text={<WithName of={texts.conversation.newReply} name={owner} />} />
      <p
        data-toast=""
        role="status"
        className={classNames(
          'pointer-events-none fixed inset-x-4 top-3 z-50 mx-auto max-w-md rounded-md bg-night px-4 py-3',
          'border border-on-night/20 font-medium text-on-night text-sm opacity-0 shadow-floating transition-opacity data-on:opacity-100',
        )}
      />
    </div>
  );
}

/** Why the owner is unreachable or slow to reach, and what a finder can still do. */
function HardToReach({ item, texts }: { readonly item: FoundItem; readonly texts: FinderTexts }) {
  const { finder, ownerRetrieval } = texts;
  if (contactState(item.channels) === 'none') {
    return (
      <Alert tone="warning" title={item.has_contact_details ? finder.noContactMethods : ownerRetrieval.withoutContact}>
        {!item.has_contact_details && `${finder.noContactMethods} `}
        {finder.handIn}
      </Alert>
    );
  }
  if (item.has_contact_details) return null;
  return (
    <Alert tone="warning" title={ownerRetrieval.withoutContact}>
      <WithName of={finder.seenAtSignIn} name={ownerInText(item.owner_first_name, texts)} />
    </Alert>
  );
}

/** Floats over the page, so that a reply that arrives live moves nothing. The script shows and hides it. */
function ReplyLink({ text }: { readonly text: ReactNode }) {
  return (
    <p role="status" className="pointer-events-none fixed inset-x-4 top-3 z-40 text-center">
      <a
        href="#conversation"
        data-answer-link=""
        hidden
        className="pointer-events-auto inline-flex min-h-11 items-center gap-2 rounded-full bg-tag px-5 font-semibold text-on-tag text-sm shadow-floating"
      >
        <MessageCircle className="size-5" aria-hidden="true" />
        <span>{text}</span>
      </a>
    </p>
  );
}

interface NoteProps {
  readonly title: ReactNode;
  readonly hint?: string | undefined;
  /** The owner's own words. */
  readonly children: ReactNode;
}

function Note({ title, hint, children }: NoteProps) {
  return (
    <div>
      <h2 className="font-medium text-on-night-soft text-sm">{title}</h2>
      <p dir="auto" className="whitespace-pre-line wrap-anywhere">
        {children}
      </p>
      {hint !== undefined && <p className="text-on-night-soft text-sm">{hint}</p>}
    </div>
  );
}
