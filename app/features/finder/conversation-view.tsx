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
  /** It stands above the form to write with. */
  readonly isAboveForm: boolean;
}

const SENDERS = ['finder', 'owner'] as const;

/**
 * What the finder wrote and what the owner answered, newest first. The script adds what comes while the page is open,
 * as copies of the two empty bubbles.
 */
export function ConversationView(props: ConversationViewProps) {
  const { code, messages, owner, conversation, isOpen, isAboveForm } = props;
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
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="conversation-title" className="font-bold text-lg">
          {texts.title(owner)}
        </h2>
        {isAboveForm && isOpen && (
          <a
            href="#message-body"
            className="inline-flex min-h-11 items-center font-semibold text-primary text-sm underline"
          >
            {texts.writeOn}
          </a>
        )}
      </div>
      {!isOpen && (
        <Alert tone="info" quiet>
          {texts.closed(owner)}
        </Alert>
      )}
      <div role="log" aria-labelledby="conversation-title">
        <ol data-messages="" className="flex flex-col gap-3">
          {said.toReversed().map((message) => (
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
