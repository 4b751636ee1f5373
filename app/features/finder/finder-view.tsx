import { MessageCircle } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { ItemIcon } from '#app/lib/item-icon.tsx';
import { smallPhotoAddress } from '#app/lib/photo-address.ts';
import { Alert } from '#app/ui/alert.tsx';
import { classNames } from '#app/ui/class-names.ts';
import type { Conversation } from '#domain/conversation.ts';
import { contactState, type FoundItem, givenName, leadsOutside } from '#domain/found-item.ts';
import type { Messages } from '#domain/messages/en.ts';
import { ContactActions } from './contact-actions.tsx';
import { ConversationView } from './conversation-view.tsx';
import { enhanceFinder } from './enhance-finder.ts';
import { enhancementTexts } from './enhancement-texts.ts';
import { MessageForm } from './message-form.tsx';

export interface FinderViewProps {
  readonly code: string;
  readonly item: FoundItem;
  readonly messages: Messages;
  /** The message that was just posted is with the owner. */
  readonly sent?: boolean;
  /** Why the way that was chosen did not open. */
  readonly contactProblem?: string | undefined;
  /** Why the message was not sent. */
  readonly messageProblem?: string | undefined;
  /** What was typed when it was not sent. */
  readonly typed?: string;
  /** Null where the finder has none; left out where only asking tells. */
  readonly conversation?: Conversation | null;
}

/**
 * What somebody sees who holds an item that is not theirs. It works as plain HTML; where there is JavaScript it
 * enhances its own forms. The address behind a channel is nowhere in it.
 */
export function FinderView(props: FinderViewProps) {
  // What the enhancement made of one item's forms must never be shown with another one's.
  return <Finder key={props.code} {...props} />;
}

function Finder(props: FinderViewProps) {
  const { code, item, messages } = props;
  const texts = messages.finder;
  const owner = item.owner_first_name;
  const state = contactState(item.channels);
  const hasSpoken = (props.conversation?.messages.length ?? 0) > 0;
  const name = givenName(item);
  // A reply is what a finder comes back for.
  const isAnswered = props.conversation?.messages.some(({ sender }) => sender === 'owner') ?? false;
  const root = useRef<HTMLDivElement>(null);

  // In the app. In the finder's own document the same is done by its script, and effects never run.
  useEffect(() => (root.current === null ? undefined : enhanceFinder(root.current)), []);

  const isOnlyWay = !leadsOutside(item.channels);
  // The form follows what was said, as in every messenger.
  const talk = (
    <div id="message" className="flex scroll-mt-4 flex-col gap-4 empty:hidden">
      <ConversationView
        code={code}
        messages={messages}
        owner={owner}
        conversation={props.conversation}
        isOpen={item.channels.message}
      />
      {item.channels.message ? (
        <MessageForm
          code={code}
          messages={messages}
          owner={owner}
          sent={props.sent ?? false}
          problem={props.messageProblem}
          typed={props.typed ?? ''}
          isOnlyWay={isOnlyWay}
        />
      ) : (
        props.messageProblem !== undefined && <Alert>{props.messageProblem}</Alert>
      )}
    </div>
  );
  const contact = (
    <ContactActions
      code={code}
      channels={item.channels}
      messages={messages}
      owner={owner}
      limited={state === 'limited'}
      problem={props.contactProblem}
    />
  );

  return (
    <div
      ref={root}
      data-finder=""
      data-texts={JSON.stringify(enhancementTexts(messages))}
      className="mx-auto flex w-full max-w-xl flex-col gap-4 px-4 pb-8 sm:px-6"
    >
      <section className="overflow-hidden rounded-xl bg-night text-on-night shadow-raised">
        <div className="flex items-center gap-4 p-5 sm:p-6">
          {item.photo === null ? (
            <span className="grid size-18 shrink-0 place-content-center rounded-lg bg-tag text-on-tag">
              <ItemIcon type={item.item_type} className="size-9" />
            </span>
          ) : (
            <a href={item.photo} className="shrink-0 rounded-lg">
              <img
                src={smallPhotoAddress(item.photo)}
                alt={messages.photos.item.of(name ?? texts.somethingOf(owner))}
                width={96}
                height={96}
                decoding="async"
                className="size-24 rounded-lg bg-on-night/10 object-cover"
              />
            </a>
          )}
          <div className="min-w-0">
            {name !== null && <p className="text-on-night-soft text-sm">{texts.youFound}</p>}
            <h1 className="font-bold text-2xl wrap-anywhere">
              {name === null ? texts.foundSomethingOf(owner) : <bdi>{name}</bdi>}
            </h1>
            <p className="wrap-anywhere">
              {name !== null && texts.belongsTo(owner)} <span className="text-on-night-soft">{texts.thanks}</span>
            </p>
          </div>
        </div>
        {item.lost && (
          <p className="bg-tag px-5 py-2.5 font-medium text-on-tag text-sm sm:px-6">
            <strong>{texts.lostTitle}.</strong> {texts.lostText(owner)}
          </p>
        )}
      </section>

      {isAnswered && talk}
      {item.note_to_finders !== null && <Note title={texts.noteFrom(owner)}>{item.note_to_finders}</Note>}
      {state === 'none' && !hasSpoken && <Alert tone="warning">{texts.noContactMethods}</Alert>}
      {!isAnswered && isOnlyWay && talk}
      {contact}
      {!isAnswered && !isOnlyWay && talk}

      <AnswerLink text={messages.conversation.newAnswer(owner)} />
      <p
        data-toast=""
        role="status"
        className={classNames(
          'pointer-events-none fixed inset-x-4 bottom-4 z-50 mx-auto max-w-md rounded-md bg-night px-4 py-3',
          'border border-on-night/20 font-medium text-on-night text-sm opacity-0 shadow-floating transition-opacity data-on:opacity-100',
        )}
      />
    </div>
  );
}

/** Over the page and above where one types: what comes live moves nothing. The script shows it, and takes it away. */
function AnswerLink({ text }: { readonly text: string }) {
  return (
    <p role="status" className="pointer-events-none fixed inset-x-4 top-3 z-40 text-center">
      <a
        href="#conversation"
        data-answer-link=""
        hidden
        className="pointer-events-auto inline-flex min-h-11 items-center gap-2 rounded-full bg-tag px-5 font-semibold text-on-tag text-sm shadow-floating"
      >
        <MessageCircle className="size-5" aria-hidden="true" />
        {text}
      </a>
    </p>
  );
}

function Note({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="rounded-lg border-tag border-s-4 bg-surface px-5 py-4 shadow-raised">
      <h2 className="font-medium text-ink-soft text-sm">{title}</h2>
      <p dir="auto" className="whitespace-pre-line wrap-anywhere">
        {children}
      </p>
    </section>
  );
}
