/** What can end, and how it ends again. */
export interface KindOfEnding {
  /** Its table, or table and column, as `internal.endings` has it. */
  readonly what: string;
  /** For the operator. */
  readonly name: string;
  /** Ends the row with the id `$1` again, where it has come back. Each such row counts. */
  readonly statement: string;
  /** Whether the statement only finds what has come back. */
  readonly isNamedOnly?: boolean;
}

function deleted(table: string, name: string): KindOfEnding {
  return { what: table, name, statement: `delete from ${table} where id = $1::uuid` };
}

function turnedOff(table: string, names: Readonly<Record<string, string>>, key = 'id'): KindOfEnding[] {
  return Object.entries(names).map(([column, name]) => ({
    what: `${table}.${column}`,
    name,
    statement: `update ${table} set ${column} = false where ${key} = $1::uuid and ${column} is distinct from false`,
  }));
}

/** Rows that others depend on come first. */
export const KINDS_OF_ENDINGS: readonly KindOfEnding[] = [
  deleted('auth.users', 'accounts deleted'),
  {
    what: 'auth.users.banned_until',
    name: 'accounts banned (again for 100 years: lift the ban where it was shorter)',
    statement: `update auth.users set banned_until = now() + interval '100 years'
      where id = $1::uuid and coalesce(banned_until, now()) <= now()`,
  },
  {
    what: 'auth.users.encrypted_password',
    name: 'old passwords (their owners set a new one by “Forgot password?”)',
    statement: 'update auth.users set encrypted_password = null where id = $1::uuid and encrypted_password is not null',
  },
  {
    what: 'internal.operators',
    name: 'operators removed',
    statement: 'delete from internal.operators where user_id = $1::uuid',
  },
  deleted('auth.sessions', 'sessions ended'),
  deleted('auth.mfa_factors', 'second factors removed'),
  deleted('auth.passkeys', 'passkeys removed'),
  deleted('auth.identities', 'sign-ins with a provider removed'),
  {
    what: 'auth.users.email',
    name: 'email addresses replaced: the old ones can sign in',
    statement: 'select from auth.users where id = $1::uuid',
    isNamedOnly: true,
  },
  {
    what: 'auth.users.phone',
    name: 'phone numbers replaced: the old ones can sign in',
    statement: 'select from auth.users where id = $1::uuid',
    isNamedOnly: true,
  },
  deleted('public.second_contacts', 'second contacts removed'),
  {
    what: 'public.second_contacts.left_at',
    name: 'second contacts who left',
    statement: `update public.second_contacts set left_at = now(), quiet_from = null, quiet_to = null, time_zone = null
      where id = $1::uuid and left_at is null`,
  },
  ...turnedOff('public.second_contacts', { for_all: 'second contacts for lost items only' }),
  {
    what: 'internal.stopped_recipients',
    name: 'recipients who stopped all emails',
    statement: 'insert into internal.stopped_recipients (recipient) values ($1::bytea) on conflict do nothing',
  },
  deleted('internal.finder_addresses', 'email addresses of finders removed'),
  {
    what: 'public.profiles.phone',
    name: 'numbers that finders call replaced (again: neither calls nor WhatsApp)',
    statement: `update public.profiles set call_enabled = false, whatsapp_enabled = false
      where id = $1::uuid and phone is not null and (call_enabled or whatsapp_enabled)`,
  },
  ...turnedOff('public.profiles', {
    call_enabled: 'calls turned off',
    whatsapp_enabled: 'WhatsApp turned off',
    email_enabled: 'email to the owner turned off',
    message_enabled: 'messages turned off',
    seen_shown: 'owners who no longer show what they have seen',
  }),
  ...turnedOff('public.items', {
    call_enabled: 'calls turned off for an item',
    whatsapp_enabled: 'WhatsApp turned off for an item',
    email_enabled: 'email turned off for an item',
    message_enabled: 'messages turned off for an item',
  }),
  ...turnedOff(
    'public.notice_settings',
    {
      email: 'emails about messages turned off',
      push: 'notifications turned off',
      sms: 'SMS about messages turned off',
      reminder: 'reminders turned off',
      ...Object.fromEntries(
        ['email', 'push', 'sms'].flatMap((way) =>
          ['has', 'first', 'more'].map((event) => [`${way}_${event}`, 'messages that a way does not tell of']),
        ),
      ),
    },
    'user_id',
  ),
  deleted('public.notice_addresses', 'webhooks and ntfy topics removed'),
  ...turnedOff('public.notice_addresses', {
    shows_text: 'webhooks and ntfy topics without texts',
    gets_has: 'messages that a webhook or an ntfy topic is not told of',
    gets_first: 'messages that a webhook or an ntfy topic is not told of',
    gets_more: 'messages that a webhook or an ntfy topic is not told of',
  }),
  deleted('public.push_subscriptions', 'devices without notifications'),
  ...turnedOff('public.push_subscriptions', { shows_text: 'notifications without texts' }),
  deleted('public.conversations', 'conversations deleted'),
  {
    what: 'public.conversations.blocked_at',
    name: 'finders blocked',
    statement: 'update public.conversations set blocked_at = now() where id = $1::uuid and blocked_at is null',
  },
  deleted('public.item_offers', 'offers of items withdrawn'),
  deleted('public.items', 'items deleted'),
  {
    what: 'public.sticker_batches.voided_at',
    name: 'batches of stickers voided',
    statement: `select public.void_batch(id, 'Voided before a restore') from public.sticker_batches
      where id = $1::uuid and voided_at is null`,
  },
  {
    what: 'public.qr_codes.voided_at',
    name: 'codes voided',
    statement: `update public.qr_codes set voided_at = now(), void_reason = 'Voided before a restore'
      where qr_id = $1 and voided_at is null`,
  },
];
