import { Fragment } from 'react';
import { Button } from '#app/ui/button.tsx';
import type { Desk } from '#domain/desks/desk.ts';
import type { DesksWords } from '#domain/words/compiled/types.ts';

/** A desk in words. */
interface ShownDesk extends Pick<Desk, 'id' | 'name' | 'place'> {
  /** Whether it is open, in words. */
  readonly state: string;
  /** Its number and its languages, where it is described in full. */
  readonly more?: readonly string[];
}

/** The desks of a page, with the words about them. */
export interface ShownDesks {
  readonly list: readonly ShownDesk[];
  /** Whether there are more than these. */
  readonly hasMore: boolean;
  readonly words: DesksWords;
}

interface DeskListProps extends ShownDesks {
  readonly code: string;
  /** Which message the form sends, so that one that is sent twice arrives once. A page that is kept for everyone has none. */
  readonly message?: NewMessage | undefined;
  /** Whether the owner takes messages: without them, a desk is only named. */
  readonly takesMessages: boolean;
}

/** The id of a message, and the key of the conversation that it may begin. */
export interface NewMessage {
  readonly id: string;
  readonly finderKey: string;
}

/** Where the item can be handed in, each with a button that says to the owner that it was. A plain form. */
export function DeskList({ code, message, list, hasMore, words, takesMessages }: DeskListProps) {
  return (
    <form data-desks="" method="post" action={`/item/${code}/message#message`} className="flex flex-col gap-3">
      <input type="hidden" name="kind" value="handed_in" />
      {message !== undefined && (
        <>
          <input type="hidden" name="message_id" value={message.id} />
          <input type="hidden" name="finder_key" value={message.finderKey} />
        </>
      )}
      {list.map(({ id, name, place, state, more }) => (
        <div key={id} className="flex flex-wrap items-center gap-2">
          <p className="wrap-anywhere flex min-w-0 flex-1 flex-col text-sm">
            <bdi className="font-semibold">{name}</bdi>
            <span className="text-ink-soft">
              <bdi>{place}</bdi> · {state}
            </span>
            {more !== undefined && (
              <span className="text-ink-soft">
                {more.map((part, index) => (
                  <Fragment key={part}>
                    {index > 0 && ' · '}
                    <bdi>{part}</bdi>
                  </Fragment>
                ))}
              </span>
            )}
          </p>
          {takesMessages && (
            <Button type="submit" name="desk" value={id} variant="outline">
              {words.handedIn}
            </Button>
          )}
        </div>
      ))}
      {hasMore && (
        <a
          href={`/item/${code}/desks`}
          className="inline-flex min-h-11 items-center font-semibold text-primary hover:underline"
        >
          {words.all}
        </a>
      )}
    </form>
  );
}
