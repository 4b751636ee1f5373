import { MessageBubble } from '#app/item/message-bubble.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import type { Conversation } from '#domain/contact/conversation.ts';
import type { FinderViewLanguage } from '#domain/finder-language.ts';
import { detailsInWords, writtenIn } from '#domain/texts/message-in-words.ts';
import { MessagePhoto } from './message-photo.tsx';
import { MessageProgress } from './message-progress.tsx';
import { momentInUtc } from './moment-in-utc.ts';

interface ConversationViewProps {
  readonly code: string;
  readonly language: FinderViewLanguage;
  readonly owner: string;
  /** Null where there is none; undefined where it has to be requested. */
  readonly conversation: Conversation | null | undefined;
  /** Whether the owner accepts messages. */
  readonly isOpen: boolean;
  /** Leaves out the parts that a first message needs: the script fetches them. */
  readonly withoutParts: boolean;
}

const SENDERS = ['finder', 'owner', 'contact'] as const;

/**
 * The conversation, oldest message first and scrolled to the latest. The script adds messages that arrive while the
 * page is open, as copies of the empty bubbles.
 */
export function ConversationView(props: ConversationViewProps) {
  const { code, conversation } = props;
  return (
    <section
      id="conversation"
      tabIndex={-1}
      data-conversation={`/item/${code}/conversation`}
      data-ask={conversation === null ? undefined : ''}
      hidden={(conversation?.messages ?? []).length === 0}
      aria-labelledby="conversation-title"
      className="flex scroll-mt-4 flex-col gap-3 focus-visible:[box-shadow:none] focus-visible:[outline:none]"
    >
      {(conversation !== null || !props.withoutParts) && <Parts {...props} />}
    </section>
  );
}

function Parts({ code, language, owner, conversation, isOpen }: ConversationViewProps) {
  const { tag, texts } = language;
  const { conversation: conversationTexts, phrases } = texts;
  const author = {
    finder: conversationTexts.youWrote,
    owner: <WithName of={conversationTexts.ownerWrote} name={owner} />,
    contact: <WithName of={conversationTexts.contactWrote} name={owner} />,
  };
  const thread = conversation?.messages ?? [];
  return (
    <>
      <h2 id="conversation-title" className="font-bold text-lg">
        <WithName of={conversationTexts.title} name={owner} />
      </h2>
      {!isOpen && (
        <Alert tone="info" quiet>
          <WithName of={conversationTexts.closed} name={owner} />
        </Alert>
      )}
      <div data-returned="" hidden={conversation?.returned !== true}>
        <Alert tone="info">
          <strong>
            <WithName of={conversationTexts.returnedTitle} name={owner} />
          </strong>{' '}
          {conversationTexts.returnedText}
          {/* In a page that is opened later. Who helped knows what it is good for. */}
          {conversation?.returned === true && (
            <p>
              <a
                href="/auth?mode=register"
                className="inline-flex min-h-11 items-center font-semibold text-primary hover:underline"
              >
                {conversationTexts.tagYourOwn}
              </a>
            </p>
          )}
        </Alert>
      </div>
      {/* A reversed flex box starts at its end and stays there, also without scripts. */}
      <div
        role="log"
        aria-labelledby="conversation-title"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        className="-mt-3 flex max-h-[45dvh] flex-col-reverse not-focus-visible:[mask-image:linear-gradient(#0000,#000_1rem)] overflow-y-auto overscroll-contain"
      >
        <ol data-messages="" className="flex shrink-0 flex-col gap-3 pt-4 pb-px">
          {thread.map((message) => (
            <MessageBubble
              key={message.id}
              data-id={message.id}
              mine={message.sender === 'finder'}
              author={author[message.sender]}
              moment={<time dateTime={message.sent_at}>{momentInUtc(message.sent_at, language)}</time>}
              said={detailsInWords(message, language)}
              body={message.body}
              language={message.language}
              note={message.sender === 'finder' ? null : writtenIn(message, { tag, phrases })}
            >
              {message.photo && (
                <MessagePhoto path={`/item/${code}/photo/${message.id}`} alt={language.texts.messagePhoto.yours} />
              )}
            </MessageBubble>
          ))}
        </ol>
      </div>
      <MessageProgress language={language} owner={owner} progress={conversation?.progress} />
      <ul hidden>
        {SENDERS.map((sender) => (
          <MessageBubble
            key={sender}
            data-bubble={sender}
            mine={sender === 'finder'}
            author={author[sender]}
            moment={<time />}
            body=""
          />
        ))}
      </ul>
    </>
  );
}
