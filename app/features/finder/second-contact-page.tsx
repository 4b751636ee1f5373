import type { ReactNode } from 'react';
import { MessageBubble } from '#app/item/message-bubble.tsx';
import { Button } from '#app/ui/button.tsx';
import { Field, inputLook } from '#app/ui/field/field.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { MESSAGE_LENGTH } from '#domain/contact/count-characters.ts';
import type { ContactThread, ContactView } from '#domain/contact/second-contact.ts';
import { COMMON_TIME_ZONES } from '#domain/contact/time-zones.ts';
import type { TypedPhrase } from '#domain/contact/typed-phrase.ts';
import type { FinderLanguage } from '#domain/finder-language.ts';
import { LEFT_CONTACT_DAYS } from '#domain/retention.ts';
import { detailsInWords, writtenIn } from '#domain/texts/message-in-words.ts';
import { MessagePhoto } from './message-photo.tsx';
import { momentInUtc } from './moment-in-utc.ts';
import { nameInText } from './name-in-text.ts';
import { ContactPhrases } from './phrases/contact-phrases.tsx';
import { PlainSelect } from './plain-select.tsx';

export interface SecondContactPageProps {
  /** The path of the page, which its forms post below. */
  readonly path: string;
  readonly view: ContactView;
  /** The id of the next reply, so that one that is sent twice arrives once. */
  readonly messageId: string;
  /** What was typed before, shown again with its problem. */
  readonly typed?: string | undefined;
  readonly problem?: string | undefined;
  /** What has just been done. */
  readonly done?: string | undefined;
  /** The phrase that was sent and is not complete. */
  readonly phrase?: TypedPhrase | undefined;
}

interface InLanguage {
  readonly language: FinderLanguage;
}

/** The pages of a second contact: the invitation, its settings, and a conversation. Plain forms. */
export function SecondContactPage(props: SecondContactPageProps & InLanguage) {
  const { view, language, path } = props;
  const texts = language.words.secondContact;
  const owner = view.owner_first_name ?? texts.anOwner;
  if (view.has_left) {
    return (
      <Section title={texts.leftTitle}>
        <p className="text-ink-soft">{texts.leftText(LEFT_CONTACT_DAYS)}</p>
      </Section>
    );
  }
  if (view.conversation !== null) return <Thread {...props} thread={view.conversation} owner={owner} />;
  if (!view.has_agreed) {
    return (
      <Section title={<WithName of={texts.inviteTitle} name={owner} />}>
        <p className="text-ink-soft">
          <WithName of={texts.inviteText} name={owner} />
        </p>
        <p>{view.for_all ? texts.scopeAll : texts.scopeLost}</p>
        <p className="text-ink-soft text-sm">{texts.keeps}</p>
        <form method="post" action={`${path}/agree`}>
          <Button type="submit" wide>
            {texts.agree}
          </Button>
        </form>
        <form method="post" action={`${path}/leave`}>
          <Button type="submit" variant="outline" wide>
            {texts.decline}
          </Button>
        </form>
      </Section>
    );
  }
  return (
    <Section title={<WithName of={texts.agreedTitle} name={owner} />}>
      <p className="text-ink-soft">
        <WithName of={texts.agreedText} name={owner} />
      </p>
      <QuietHours {...props} />
      <Leave path={path} owner={owner} language={language} />
    </Section>
  );
}

function Section({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <section className="mx-auto flex w-full max-w-xl flex-col gap-4 px-4 pb-8 sm:px-6">
      <h1 className="wrap-anywhere font-bold text-2xl">{title}</h1>
      {children}
    </section>
  );
}

function QuietHours({ path, view, problem, done, language }: SecondContactPageProps & InLanguage) {
  const texts = language.words.secondContact;
  const chosen = view.time_zone;
  // The script adds the browser's own (`chooseOwnTimeZone`).
  const timeZones =
    chosen === null || COMMON_TIME_ZONES.includes(chosen) ? COMMON_TIME_ZONES : [chosen, ...COMMON_TIME_ZONES];
  const times = [
    ['from', texts.from, view.quiet_from],
    ['to', texts.to, view.quiet_to],
  ] as const;
  return (
    <form method="post" action={`${path}/quiet`} className="flex flex-col gap-3">
      <h2 className="font-bold text-lg">{texts.quietTitle}</h2>
      <p className="text-ink-soft text-sm">{texts.quietText}</p>
      {problem !== undefined && <Alert>{problem}</Alert>}
      {done !== undefined && <Alert tone="info">{done}</Alert>}
      {times.map(([name, label, value]) => (
        <Field key={name} id={`quiet-${name}`} label={label}>
          {(control) => (
            <input {...control} type="time" name={name} defaultValue={value ?? ''} className={inputLook(false)} />
          )}
        </Field>
      ))}
      <PlainSelect
        id="time-zone"
        label={texts.timeZone}
        name="time_zone"
        defaultValue={chosen ?? 'UTC'}
        data-own-zone={chosen === null ? '' : undefined}
      >
        {timeZones.map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </PlainSelect>
      <Button type="submit" variant="outline">
        {texts.save}
      </Button>
    </form>
  );
}

interface LeaveProps extends InLanguage {
  readonly path: string;
  readonly owner: string;
}

function Leave({ path, owner, language }: LeaveProps) {
  const texts = language.words.secondContact;
  return (
    <form method="post" action={`${path}/leave`} className="flex flex-col gap-3">
      <h2 className="font-bold text-lg">{texts.leaveTitle}</h2>
      <p className="text-ink-soft text-sm">
        <WithName of={texts.leaveText} name={owner} />
      </p>
      <Button type="submit" variant="outline">
        {texts.leave}
      </Button>
    </form>
  );
}

interface ThreadProps extends SecondContactPageProps, InLanguage {
  readonly thread: ContactThread;
  readonly owner: string;
}

function Thread(props: ThreadProps) {
  const { thread, view, owner, path, messageId, typed, problem, done, language, phrase } = props;
  const texts = language.words.secondContact;
  const itemName = nameInText({ ...thread, owner_first_name: owner }, language.texts);
  const author = {
    finder: texts.finderWrote,
    owner: view.owner_first_name === null ? texts.anOwnerWrote : <WithName of={texts.ownerWrote} name={owner} />,
    contact: <WithName of={texts.contactWrote} name={owner} />,
  };
  return (
    <Section title={<WithName of={texts.threadTitle} name={itemName} />}>
      <p className="text-ink-soft text-sm">
        <WithName of={texts.threadText} name={owner} />
      </p>
      <ol className="flex flex-col gap-3">
        {thread.messages.map((message) => (
          <MessageBubble
            key={message.id}
            mine={message.sender !== 'finder'}
            author={author[message.sender]}
            moment={<time dateTime={message.sent_at}>{momentInUtc(message.sent_at, language)}</time>}
            said={detailsInWords(message, language, view.time_zone ?? undefined)}
            body={message.body}
            language={message.language}
            note={writtenIn(message, { tag: language.tag, phrases: language.texts.phrases })}
          >
            {message.photo && (
              <MessagePhoto path={`${path}/photo/${message.id}`} alt={language.texts.messagePhoto.ofFinder} />
            )}
          </MessageBubble>
        ))}
      </ol>
      {done !== undefined && <Alert tone="info">{done}</Alert>}
      {thread.is_open && (
        <ContactPhrases
          action={`${path}/reply`}
          language={language}
          timeZone={view.time_zone}
          messageId={messageId}
          typed={phrase}
        />
      )}
      {thread.is_open ? (
        <form method="post" action={`${path}/reply`} className="flex flex-col gap-3">
          <input type="hidden" name="message_id" value={messageId} />
          <Field id="reply" label={texts.reply} hint={texts.replyHint(MESSAGE_LENGTH)} error={problem}>
            {(control) => (
              <textarea
                {...control}
                name="body"
                rows={3}
                required
                autoComplete="off"
                defaultValue={typed}
                className={`${inputLook(problem !== undefined)} field-sizing-content max-h-64 min-h-24 resize-y`}
              />
            )}
          </Field>
          <Button type="submit" wide>
            {texts.send}
          </Button>
        </form>
      ) : (
        <>
          {typed !== undefined && (
            <Alert title={texts.notSent}>
              <p className="whitespace-pre-wrap break-words">{typed}</p>
            </Alert>
          )}
          <Alert tone="info" quiet>
            {texts.closed}
          </Alert>
        </>
      )}
      <Leave path={path} owner={owner} language={language} />
    </Section>
  );
}
