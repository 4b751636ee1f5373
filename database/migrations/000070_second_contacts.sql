-- kind: compatible
-- A second contact of an owner, who is notified of messages that the owner does not see, and may reply
-- (docs/decisions/0084-second-contacts.md).

create table public.second_contacts (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references auth.users on delete cascade,
  email text check (
    char_length(email) <= 254
    and email ~ '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$'
  ),
  phone text check (phone ~ '^[+][1-9][0-9]{6,14}$'),
  for_all boolean not null default false,
  created_at timestamptz not null default now(),
  agreed_at timestamptz,
  left_at timestamptz,
  quiet_from time(0),
  quiet_to time(0),
  time_zone text check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$'),
  constraint second_contacts_address check (num_nonnulls(email, phone) = 1),
  constraint second_contacts_quiet_hours check (
    num_nulls(quiet_from, quiet_to, time_zone) in (0, 3)
    and quiet_from <> quiet_to and quiet_from < '24:00' and quiet_to < '24:00'
  )
);
create unique index second_contacts_of_owner on public.second_contacts (owner_id, coalesce(email, phone));
create index second_contacts_left on public.second_contacts (left_at) where left_at is not null;
create index second_contacts_invited on public.second_contacts (created_at) where agreed_at is null;
comment on column public.second_contacts.for_all is 'Whether the contact is notified about all items; otherwise about those that are marked as lost.';
comment on column public.second_contacts.agreed_at is 'When the contact agreed. Before that, only the invitation is sent.';
comment on column public.second_contacts.left_at is 'When the contact left, or declined. Nothing is sent from then on.';
comment on column public.second_contacts.quiet_from is 'The contact''s own choice, which the owner does not see.';

alter table public.second_contacts enable row level security;
alter table public.second_contacts force row level security;
create policy "owners read their own second contacts" on public.second_contacts
  for select to authenticated using (owner_id = (select auth.uid()));
create policy "owners change their own second contacts" on public.second_contacts
  for update to authenticated using (owner_id = (select auth.uid())) with check (owner_id = (select auth.uid()));
-- One who left stays listed for a time, so that they are not invited again at once.
create policy "owners remove their own second contacts" on public.second_contacts
  for delete to authenticated using (owner_id = (select auth.uid()) and left_at is null);
grant select (id, owner_id, email, phone, for_all, created_at, agreed_at, left_at), update (for_all), delete
  on public.second_contacts to authenticated;
grant select, insert, update, delete on public.second_contacts to service_role;
create trigger second_contacts_check_time_zone before insert or update of time_zone on public.second_contacts
  for each row when (new.time_zone is not null) execute function internal.check_time_zone();

-- What opens a second contact's pages: that of the invitation, without a conversation, and one for each conversation.
create table internal.contact_links (
  token_hash bytea primary key,
  contact_id uuid not null references public.second_contacts on delete cascade,
  conversation_id uuid references public.conversations on delete cascade,
  notified_at timestamptz,
  unique nulls not distinct (contact_id, conversation_id)
);
create index contact_links_conversation on internal.contact_links (conversation_id);
comment on column internal.contact_links.token_hash is 'SHA-256 of the token in the link.';
comment on column internal.contact_links.notified_at is 'When the contact was last notified of the conversation.';
alter table internal.contact_links enable row level security;
alter table internal.contact_links force row level security;
grant select, insert, update, delete on internal.contact_links to service_role;

alter table public.conversations add column contacted_at timestamptz;
comment on column public.conversations.contacted_at is 'When a second contact of the owner was last notified of it.';
alter table public.messages add column by_contact boolean not null default false;
comment on column public.messages.by_contact is 'Whether a second contact wrote it for the owner.';

create function internal.audit_second_contact() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    perform internal.record_event('second_contact_invited', new.owner_id);
  elsif tg_op = 'DELETE' then
    perform internal.record_event('second_contact_removed', old.owner_id);
  elsif old.agreed_at is null and new.agreed_at is not null then
    perform internal.record_event('second_contact_agreed', new.owner_id);
  elsif old.left_at is null and new.left_at is not null then
    perform internal.record_event('second_contact_left', new.owner_id);
  end if;
  return null;
end
$$;
create trigger second_contacts_audit after insert or update or delete on public.second_contacts
  for each row execute function internal.audit_second_contact();

create function internal.enqueue_contact_invitation(contact_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'invite_second_contact',
    pg_catalog.json_build_object('contact_id', contact_id_param),
    job_key := 'invite_second_contact:' || contact_id_param,
    max_attempts := 13
  );
end
$$;

-- Invites a second contact, by email or by SMS. An account has three.
create function public.invite_second_contact(email_param text, phone_param text, for_all_param boolean default false)
  returns uuid
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_contacts constant integer := 3;
  account uuid := (select id from auth.users
    where id = (select auth.uid()) and not is_anonymous and deleted_at is null and confirmed_at is not null);
  invited uuid;
begin
  if account is null then
    raise exception 'Only a confirmed account has second contacts' using errcode = '42501';
  end if;
  -- Contacts of one account are counted one after another.
  perform pg_advisory_xact_lock(hashtextextended('second contacts of ' || account, 0));
  if (select count(*) from public.second_contacts where owner_id = account and left_at is null) >= most_contacts then
    raise exception 'An account has at most % second contacts', most_contacts using errcode = 'PT409';
  end if;
  insert into public.second_contacts (owner_id, email, phone, for_all)
    values (account, nullif(lower(btrim(email_param)), ''), nullif(btrim(phone_param), ''), coalesce(for_all_param, false))
    on conflict do nothing
    returning id into invited;
  if invited is null then
    raise exception 'This second contact was invited already' using errcode = 'PT409';
  end if;
  perform internal.enqueue_contact_invitation(invited);
  return invited;
end
$$;

-- What a link shows: the owner's first name, what the contact chose, and of a conversation its item and thread. Nothing
-- else of the owner. Null for a link that opens nothing.
create function internal.read_as_contact(token_hash_param bytea) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select jsonb_build_object(
        'owner_first_name', internal.first_name(profile.full_name),
        'for_all', contact.for_all,
        'has_agreed', contact.agreed_at is not null,
        'has_left', contact.left_at is not null,
        'quiet_from', to_char(contact.quiet_from, 'HH24:MI'),
        'quiet_to', to_char(contact.quiet_to, 'HH24:MI'),
        'time_zone', contact.time_zone,
        'conversation', case when conversation.id is not null then jsonb_build_object(
          'id', conversation.id,
          'item_type', item.item_type,
          'item_name', item.item_name,
          'is_open', conversation.blocked_at is null and conversation.returned_at is null and item.given_at is null,
          'messages', (
            select jsonb_agg(jsonb_build_object(
                'id', message.id,
                'sender', case when message.by_contact then 'contact' else message.sender end,
                'body', message.body, 'sent_at', message.created_at,
                'kind', message.kind, 'place', message.place,
                'location', case when message.latitude is not null then jsonb_build_object(
                  'latitude', message.latitude::float8, 'longitude', message.longitude::float8,
                  'exact', message.location_exact
                ) end
              ) order by message.created_at, message.id)
              from (
                select * from public.messages
                  where conversation_id = conversation.id order by created_at desc, id desc limit 100
              ) as message
          )
        ) end
      )
      from internal.contact_links as link
      join public.second_contacts as contact on contact.id = link.contact_id
      join auth.users as account on account.id = contact.owner_id and account.deleted_at is null
      left join public.profiles as profile on profile.id = contact.owner_id
      left join public.conversations as conversation
        on conversation.id = link.conversation_id and conversation.owner_id = contact.owner_id
          and contact.agreed_at is not null and contact.left_at is null
      left join public.items as item on item.id = conversation.item_id
      where link.token_hash = token_hash_param
        and (link.conversation_id is null or conversation.id is not null or contact.left_at is not null)
  $$;

-- Returns whether the link is that of an invitation which holds. An account that is deleted has none.
create function internal.agree_as_contact(token_hash_param bytea) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  update public.second_contacts as contact set agreed_at = coalesce(contact.agreed_at, now())
    from internal.contact_links as link
    where link.token_hash = token_hash_param and link.conversation_id is null and contact.id = link.contact_id
      and contact.left_at is null
      and exists (select from auth.users where id = contact.owner_id and deleted_at is null);
  return found;
end
$$;

-- Ends what the owner asked for. The contact's links open nothing more of the owner.
create function internal.leave_as_contact(token_hash_param bytea) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  update public.second_contacts as contact
    set left_at = coalesce(contact.left_at, now()), quiet_from = null, quiet_to = null, time_zone = null
    from internal.contact_links as link
    where link.token_hash = token_hash_param and contact.id = link.contact_id;
  return found;
end
$$;

-- Without times there are no quiet hours.
create function internal.set_contact_quiet_hours(
  token_hash_param bytea, quiet_from_param time, quiet_to_param time, time_zone_param text
) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  update public.second_contacts as contact
    set quiet_from = quiet_from_param, quiet_to = quiet_to_param, time_zone = time_zone_param
    from internal.contact_links as link
    where link.token_hash = token_hash_param and contact.id = link.contact_id
      and contact.agreed_at is not null and contact.left_at is null;
  return found;
end
$$;

-- Stores a reply in the conversation of the link. Repeating it changes nothing more. Returns whether it is there.
create function internal.reply_as_contact(token_hash_param bytea, body_param text, message_id_param uuid) returns boolean
  language plpgsql
  set search_path = ''
  as $$
declare
  trimmed text := internal.trim_message(body_param);
  link internal.contact_links;
  conversation public.conversations;
begin
  if trimmed is null or char_length(trimmed) not between 1 and 250 then
    raise exception 'A message has between 1 and 250 characters' using errcode = '22023';
  end if;
  select * into link from internal.contact_links where token_hash = token_hash_param;
  select * into conversation from public.conversations where id = link.conversation_id;
  -- Held until the reply is in, in the order of accept_offer and of deletions: account, item, conversation. The conversation
  -- is held against a block, and so that of two replies the second waits before it notes that there is one.
  perform from auth.users where id = conversation.owner_id and deleted_at is null for key share;
  if not found then
    return false;
  end if;
  perform from public.items where id = conversation.item_id and given_at is null for key share;
  if not found then
    return false;
  end if;
  select * into conversation from public.conversations
    where id = link.conversation_id and blocked_at is null and returned_at is null for no key update;
  if not found then
    return false;
  end if;
  perform from public.second_contacts
    where id = link.contact_id and owner_id = conversation.owner_id and agreed_at is not null and left_at is null for share;
  if not found then
    return false;
  end if;
  insert into public.messages (id, conversation_id, item_id, owner_id, sender, body, by_contact)
    values (message_id_param, conversation.id, conversation.item_id, conversation.owner_id, 'owner', trimmed, true)
    on conflict (id) do nothing;
  return exists (
    select from public.messages
      where id = message_id_param and conversation_id = conversation.id and by_contact and body = trimmed
  );
end
$$;

-- Enqueues the notice of a second contact about the messages of a conversation that stay unseen. One that waits keeps its
-- time.
create function internal.enqueue_contact_notice(
  contact_id_param uuid, conversation_id_param uuid, run_at_param timestamptz
) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'notify_second_contact',
    pg_catalog.json_build_object('contact_id', contact_id_param, 'conversation_id', conversation_id_param),
    job_key := 'notify_second_contact:' || contact_id_param || ':' || conversation_id_param,
    job_key_mode := 'preserve_run_at',
    run_at := run_at_param,
    max_attempts := 13
  );
end
$$;

create function internal.enqueue_contact_notices() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.enqueue_contact_notice(contact.id, new.conversation_id, now() + interval '1 hour')
    from public.second_contacts as contact
    where contact.owner_id = new.owner_id and contact.agreed_at is not null and contact.left_at is null;
  return null;
end
$$;
create trigger messages_enqueue_contact_notices after insert on public.messages
  for each row when (new.sender = 'finder' and not internal.is_muted(new.conversation_id))
  execute function internal.enqueue_contact_notices();

-- As before, with the second contact.
create or replace function internal.progress_of_conversation(conversation_id_param uuid) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select jsonb_build_object(
        'state', case
          when seen.at is not null then 'seen'
          when conversation.contacted_at >= latest.created_at then 'contacted'
          when latest.read_at is not null or conversation.delivered_until >= latest.created_at then 'delivered'
          else 'sent'
        end,
        'seen_at', seen.at
      )
      from (
        select * from public.messages
          where conversation_id = conversation_id_param order by created_at desc, id desc limit 1
      ) as latest
      join public.conversations as conversation on conversation.id = latest.conversation_id
      left join public.profiles as owner on owner.id = conversation.owner_id
      cross join lateral (
        select case when owner.seen_shown then date_trunc('hour', latest.read_at, 'UTC') end as at
      ) as seen
      where latest.sender = 'finder' and conversation.returned_at is null
  $$;

-- As before, with the second contact's messages.
create or replace function public.read_conversation(qr_id_param text, finder_key_param text) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
        'conversation_id', opened.id,
        'by_further_code', opened.qr_id <> qr_id_param,
        'return_key_hash', (
          select encode(key_hash, 'hex') from internal.return_keys
            where conversation_id = opened.id order by created_at desc limit 1
        ),
        'returned', (select returned_at is not null from public.conversations where id = opened.id),
        'progress', internal.progress_of_conversation(opened.id),
        'messages', messages.shown
      )
      from (
        select internal.conversation_of_key(item.id, finder_key_param) as id, item.qr_id
          from public.items as item where item.qr_id = internal.own_code_of_item(qr_id_param)
      ) as opened
      cross join lateral (
        select jsonb_agg(jsonb_build_object(
            'id', message.id, 'sender', case when message.by_contact then 'contact' else message.sender end, 'body', message.body, 'sent_at', message.created_at,
            'kind', message.kind, 'place', message.place,
            'location', case when message.latitude is not null then jsonb_build_object(
              'latitude', message.latitude::float8, 'longitude', message.longitude::float8,
              'exact', message.location_exact
            ) end
          ) order by message.created_at, message.id) as shown
          from (
            select * from public.messages
              where conversation_id = opened.id
              order by created_at desc, id desc
              limit 100
          ) as message
      ) as messages
      where messages.shown is not null
  $$;

-- As before, with the second contacts.
create or replace function public.export_account(user_id_param uuid) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select jsonb_build_object(
        'exported_at', now(),
        'account', (
          select jsonb_build_object(
              'id', account.id, 'email', coalesce(account.email, account.claimed_email), 'email_confirmed_at', account.email_confirmed_at,
              'phone', account.phone, 'phone_confirmed_at', account.phone_confirmed_at,
              'new_email', account.new_email, 'new_phone', account.new_phone, 'created_at', account.created_at,
              'updated_at', account.updated_at, 'last_sign_in_at', account.last_sign_in_at,
              'has_password', account.encrypted_password is not null,
              'user_metadata', account.raw_user_meta_data, 'app_metadata', account.raw_app_meta_data
            )
            from auth.users as account where account.id = person.id
        ),
        'profile', (select to_jsonb(profile) from public.profiles as profile where profile.id = person.id),
        'notice_settings', (
          select to_jsonb(settings) from public.notice_settings as settings where settings.user_id = person.id
        ),
        'second_contacts', (
          -- Not the quiet hours, which are the contact's own.
          select coalesce(jsonb_agg(
              to_jsonb(contact) - 'quiet_from' - 'quiet_to' - 'time_zone' order by contact.created_at
            ), '[]')
            from public.second_contacts as contact where contact.owner_id = person.id
        ),
        'identities', (
          select coalesce(jsonb_agg(to_jsonb(identity) order by identity.created_at), '[]')
            from auth.identities as identity where identity.user_id = person.id
        ),
        'codes', (
          select coalesce(jsonb_agg(to_jsonb(code) order by code.qr_id), '[]')
            from public.qr_codes as code where code.owner_id = person.id
        ),
        'items', (
          select coalesce(jsonb_agg(to_jsonb(item) order by item.created_at), '[]')
            from public.items as item where item.user_id = person.id
        ),
        'item_offers', (
          select coalesce(jsonb_agg(to_jsonb(offer) - 'received_id' order by offer.created_at), '[]')
            from public.item_offers as offer where offer.giver_id = person.id
        ),
        'item_offers_received', (
          select coalesce(jsonb_agg(to_jsonb(offer) - 'giver_id' - 'item_id' order by offer.created_at), '[]')
            from public.item_offers as offer
            join auth.users as account on account.id = person.id and account.email = offer.email
        ),
        'conversations', (
          -- Its key is the finder's.
          select coalesce(jsonb_agg(to_jsonb(conversation) - 'finder_key_hash' order by conversation.created_at), '[]')
            from public.conversations as conversation where conversation.owner_id = person.id
        ),
        'messages', (
          select coalesce(jsonb_agg(to_jsonb(message) order by message.created_at), '[]')
            from public.messages as message where message.owner_id = person.id
        ),
        'channel_openings', (
          select coalesce(jsonb_agg(to_jsonb(opening) order by opening.opened_at), '[]')
            from public.channel_openings as opening where opening.owner_id = person.id
        ),
        'files', (
          -- Where its bytes are is the service's business.
          select coalesce(jsonb_agg(to_jsonb(file) - 'version' - 'renditions' order by file.created_at), '[]')
            from storage.objects as file where file.owner = person.id
        ),
        'sessions', (
          select coalesce(jsonb_agg(to_jsonb(session) - 'device_hash' order by session.created_at), '[]')
            from auth.sessions as session where session.user_id = person.id
        ),
        'known_devices', (
          select coalesce(jsonb_agg(to_jsonb(device) - 'device_hash' order by device.created_at), '[]')
            from auth.known_devices as device where device.user_id = person.id
        ),
        'second_factors', (
          select coalesce(jsonb_agg(to_jsonb(factor) - 'secret' - 'last_step' order by factor.created_at), '[]')
            from auth.mfa_factors as factor where factor.user_id = person.id
        ),
        'recovery_codes', (
          select coalesce(jsonb_agg(to_jsonb(code) - 'code_hash' order by code.created_at), '[]')
            from auth.recovery_codes as code where code.user_id = person.id
        ),
        'codes_sent', (
          select coalesce(jsonb_agg(
              to_jsonb(sent) - 'token_hash' - 'link_hash' - 'code_challenge' order by sent.created_at
            ), '[]')
            from auth.one_time_tokens as sent where sent.user_id = person.id
        ),
        'push_subscriptions', (
          -- Not the keys, which the browser has.
          select coalesce(jsonb_agg(
              to_jsonb(subscription) - 'p256dh' - 'auth' order by subscription.created_at
            ), '[]')
            from public.push_subscriptions as subscription where subscription.user_id = person.id
        ),
        'notice_addresses', (
          -- Not the access token.
          select coalesce(jsonb_agg(to_jsonb(address) - 'token' order by address.created_at), '[]')
            from public.notice_addresses as address where address.user_id = person.id
        ),
        'security_events', (
          select coalesce(jsonb_agg(to_jsonb(entry) - 'id' order by entry.id), '[]')
            from auth.audit_log as entry where entry.user_id = person.id
        )
      )
      from (select user_id_param as id) as person
      where person.id is not null
  $$;

grant create on schema public, internal to service_role;
alter function public.invite_second_contact(text, text, boolean) owner to service_role;
alter function internal.audit_second_contact() owner to service_role;
alter function internal.enqueue_contact_notices() owner to service_role;
revoke create on schema public, internal from service_role;
grant execute on function public.invite_second_contact(text, text, boolean) to authenticated, service_role;
grant execute on function internal.enqueue_contact_invitation(uuid),
  internal.enqueue_contact_notice(uuid, uuid, timestamptz), internal.read_as_contact(bytea),
  internal.agree_as_contact(bytea), internal.leave_as_contact(bytea),
  internal.set_contact_quiet_hours(bytea, time, time, text), internal.reply_as_contact(bytea, text, uuid)
  to service_role;
