import { MessageBubble } from '#app/lib/message-bubble.tsx';
import type { Conversation, ConversationMessage } from '#domain/conversation.ts';
import type { Messages } from '#domain/messages/en.ts';

interface ConversationViewProps {
  readonly code: string;
  readonly messages: Messages;
  readonly owner: string;
  /** Null where there is none; undefined where only asking tells. */
  readonly conversation: Conversation | null | undefined;
}

const SENDERS = ['finder', 'owner'] as const;

/**
 * What the finder wrote and what the owner answered, newest first. The script adds what comes while the page is open,
 * as copies of the two empty bubbles.
 */
export function ConversationView({ code, messages, owner, conversation }: ConversationViewProps) {
  const texts = messages.conversation;
  const author = { finder: texts.youWrote, owner: texts.ownerWrote(owner) };
  const said = conversation?.messages ?? [];
  return (
    <section
      data-conversation={`/item/${code}/conversation`}
      data-ask={conversation === null ? undefined : ''}
      hidden={said.length === 0}
      aria-labelledby="conversation-title"
      className="flex flex-col gap-3"
    >
      <h2 id="conversation-title" className="font-bold text-lg">
        {texts.title(owner)}
      </h2>
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
