import type { ReactNode } from 'react';
import { MessageBubble } from '#app/item/message-bubble.tsx';
import { Button } from '#app/ui/button.tsx';
import { Field, inputLook } from '#app/ui/field/field.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import type { ContactThread, ContactView } from '#domain/contact/second-contact.ts';
import type { Language } from '#domain/language.ts';
import { describeDetails } from '#domain/texts/describe-details.ts';
import { finderPageTexts } from '#domain/texts/finder/finder.ts';
import { messagePhotoTexts } from '#domain/texts/message-photo/message-photo.ts';
import { secondContactTexts } from '#domain/texts/second-contact/second-contact.ts';
import { MessagePhoto } from './message-photo.tsx';
import { momentInUtc } from './moment-in-utc.ts';
import { nameInText } from './name-in-text.ts';

export interface SecondContactPageProps {
  /** The path of the page, which its forms post below. */
  readonly path: string;
  readonly view: ContactView;
  /** IANA names to choose from. */
  readonly timeZones: readonly string[];
  /** The id of the next reply, so that one that is sent twice arrives once. */
  readonly messageId: string;
  /** What was typed before, shown again with its problem. */
  readonly typed?: string | undefined;
  readonly problem?: string | undefined;
  /** What has just been done. */
  readonly done?: string | undefined;
}

interface InLanguage {
  readonly language: Language;
}

/** The pages of a second contact: the invitation, its settings, and a conversation. Plain forms. */
export function SecondContactPage(props: SecondContactPageProps & InLanguage) {
  const { view, language, path } = props;
  const texts = secondContactTexts(language);
  const owner = view.owner_first_name ?? texts.anOwner;
  if (view.has_left) {
    return (
      <Section title={texts.leftTitle}>
        <p className="text-ink-soft">{texts.leftText}</p>
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

function QuietHours({ path, view, timeZones, problem, done, language }: SecondContactPageProps & InLanguage) {
  const texts = secondContactTexts(language);
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
      <Field id="time-zone" label={texts.timeZone}>
        {(control) => (
          <select {...control} name="time_zone" defaultValue={view.time_zone ?? 'UTC'} className={inputLook(false)}>
            {timeZones.map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </select>
        )}
      </Field>
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
  const texts = secondContactTexts(language);
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

function Thread({ thread, view, owner, path, messageId, typed, problem, done, language }: ThreadProps) {
  const texts = secondContactTexts(language);
  const itemName = nameInText({ ...thread, owner_first_name: owner }, finderPageTexts(language));
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
            said={describeDetails(message, finderPageTexts(language))}
            body={message.body}
          >
            {message.photo && (
              <MessagePhoto path={`${path}/photo/${message.id}`} alt={messagePhotoTexts(language).ofFinder} />
            )}
          </MessageBubble>
        ))}
      </ol>
      {done !== undefined && <Alert tone="info">{done}</Alert>}
      {thread.is_open ? (
        <form method="post" action={`${path}/reply`} className="flex flex-col gap-3">
          <input type="hidden" name="message_id" value={messageId} />
          <Field id="reply" label={texts.reply} hint={texts.replyHint} error={problem}>
            {(control) => (
              <textarea
                {...control}
                name="body"
                rows={3}
                required
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
