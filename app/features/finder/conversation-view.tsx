import { MessageBubble } from '#app/lib/message-bubble.tsx';
import { Alert } from '#app/ui/alert.tsx';
import type { Conversation, ConversationMessage } from '#domain/conversation.ts';
import type { Messages } from '#domain/messages/en.ts';

interface ConversationViewProps {
  readonly code: string;
  readonly messages: Messages;
  readonly owner: string;
  /** Null where there is none; undefined where only asking tells. */
  readonly conversation: Conversation | null | undefined;
  /** Whether the owner takes messages. */
  readonly isOpen: boolean;
}

const SENDERS = ['finder', 'owner'] as const;

/**
 * What the finder wrote and what the owner replied, oldest first and scrolled to the newest. The script adds what comes
 * while the page is open, as copies of the two empty bubbles.
 */
export function ConversationView(props: ConversationViewProps) {
  const { code, messages, owner, conversation, isOpen } = props;
  const texts = messages.conversation;
  const author = { finder: texts.youWrote, owner: texts.ownerWrote(owner) };
  const said = conversation?.messages ?? [];
  return (
    <section
      id="conversation"
      tabIndex={-1}
      data-conversation={`/item/${code}/conversation`}
      data-ask={conversation === null ? undefined : ''}
      hidden={said.length === 0}
      aria-labelledby="conversation-title"
      className="flex scroll-mt-4 flex-col gap-3 focus-visible:outline-none focus-visible:shadow-none"
    >
      <h2 id="conversation-title" className="font-bold text-lg">
        {texts.title(owner)}
      </h2>
      {!isOpen && (
        <Alert tone="info" quiet>
          {texts.closed(owner)}
        </Alert>
      )}
      {/* Reversed, a box begins at its end and stays there, also without a script. */}
      <div
        role="log"
        aria-labelledby="conversation-title"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard.
        tabIndex={0}
        className="flex max-h-[45dvh] flex-col-reverse overflow-y-auto overscroll-contain"
      >
        <ol data-messages="" className="flex shrink-0 flex-col gap-3">
          {said.map((message) => (
            <MessageBubble
              key={message.id}
              data-id={message.id}
              mine={message.sender === 'finder'}
              author={author[message.sender]}
              moment={<time dateTime={message.sent_at}>{momentInUtc(message, texts)}</time>}
              body={message.body}
            />
          ))}
        </ol>
      </div>
      <p className="text-ink-soft text-xs">{texts.hint}</p>
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
    </section>
  );
}

/** The server does not know in which time zone the finder is; the script does, and says it anew. */
function momentInUtc({ sent_at }: ConversationMessage, texts: Messages['conversation']): string {
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return texts.inUtc(format.format(new Date(sent_at)));
}
