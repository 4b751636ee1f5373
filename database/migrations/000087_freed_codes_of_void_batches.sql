-- kind: compatible
-- A code of a void batch that its owner gives up is void as well, and each voiding of a batch has its own reason.

-- Holds the batches of these codes against being voided or restored until the transaction ends. A code that loses its
-- owner needs it before the code is locked, because `void_batch` locks the batch first.
create function internal.hold_batches(qr_ids text[]) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  perform from public.sticker_batches
    where id = any (array(select batch_id from public.qr_codes where qr_id = any (qr_ids)))
    order by id for share;
end
$$;

-- The batch is read under a lock, so that of a batch that is voided and a code that loses its owner at once, the second
-- sees the first.
create function internal.void_freed_code() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  batch public.sticker_batches;
begin
  select * into batch from public.sticker_batches where id = new.batch_id for share;
  if batch.voided_at is not null then
    new.voided_at := batch.voided_at;
    new.void_reason := batch.void_reason;
  end if;
  return new;
end
$$;

create trigger qr_codes_void_freed before update of owner_id on public.qr_codes for each row
  when (old.owner_id is not null and new.owner_id is null and new.batch_id is not null and new.voided_at is null)
  execute function internal.void_freed_code();

-- The foreign keys of a deleted account free its codes, in an order that is not ours.
create function internal.hold_batches_of_account() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.hold_batches(array(select qr_id from public.qr_codes where owner_id = old.id));
  return old;
end
$$;

create trigger users_hold_batches before delete on auth.users for each row
  execute function internal.hold_batches_of_account();

-- As before, with the order of locks above.
create or replace function internal.free_codes(qr_ids text[])
  returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  perform internal.hold_batches(qr_ids);
  update public.qr_codes set owner_id = null, claimed_at = null, stands_for = null where qr_id = any (qr_ids);
  delete from public.qr_codes where qr_id = any (qr_ids) and issued_at is null and voided_at is null;
end
$$;
create or replace function public.detach_qr_code(qr_id_param text)
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
declare
  item public.items;
  further_codes text[];
begin
  select * into item from public.items
    where id = (select id from public.items where qr_id = internal.own_code_of_item(qr_id_param))
      and user_id = (select auth.uid())
    for update;
  -- Asked again, because another call may have changed the item's codes before this one had the lock.
  if not found or internal.own_code_of_item(qr_id_param) <> item.qr_id then
    raise exception 'No item of yours has this code' using errcode = 'PT404';
  end if;
  -- Before the item's other codes, which may be of the same batch.
  perform internal.hold_batches(array[qr_id_param]);
  if item.qr_id = qr_id_param then
    further_codes := array(
      select qr_id from public.qr_codes where stands_for = item.qr_id order by voided_at is not null, claimed_at, qr_id
    );
    if further_codes = '{}' then
      raise exception 'An item keeps its only code' using errcode = 'PT409';
    end if;
    update public.qr_codes set stands_for = null where qr_id = any (further_codes);
    update public.items set qr_id = further_codes[1] where id = item.id;
    update public.qr_codes set stands_for = further_codes[1] where qr_id = any (further_codes[2:]);
  end if;
  perform internal.free_codes(array[qr_id_param]);
end
$$;
create or replace function public.discard_blank_codes(qr_ids_param text[])
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  if cardinality(qr_ids_param) > 100 then
    raise exception 'At most 100 codes are discarded at once' using errcode = '22023';
  end if;
  perform internal.hold_batches(array(
    select qr_id from public.qr_codes where qr_id = any (qr_ids_param) and owner_id = (select auth.uid())
  ));
  -- In one order. Who tags or attaches one of them in this moment comes first or second.
  perform from public.qr_codes
    where qr_id = any (qr_ids_param) and owner_id = (select auth.uid()) order by qr_id for update;
  perform internal.free_codes(array(
    select blank ->> 'qr_id' from jsonb_array_elements(public.list_blank_codes()) as blank
      where blank ->> 'qr_id' = any (qr_ids_param)
  ));
end
$$;
create or replace function public.delete_my_account()
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
declare
  account auth.users;
  proved_at timestamptz;
begin
  -- Held, so that nothing new begins to belong to it.
  select * into account from auth.users where id = (select auth.uid()) for update;
  if not found then
    raise exception 'Only somebody signed in has an account to delete' using errcode = '42501';
  end if;
  select session.proved_at into proved_at
    from auth.sessions as session
    where session.id::text = (select auth.jwt()) ->> 'session_id' and session.user_id = account.id;
  if proved_at is null or not account.is_anonymous and proved_at < now() - interval '10 minutes' then
    raise exception 'Deleting an account needs a recent sign-in' using errcode = 'PT403';
  end if;

  perform internal.hold_batches(array(select qr_id from public.qr_codes where owner_id = account.id));
  delete from public.items where user_id = account.id;
  delete from public.qr_codes where owner_id = account.id and issued_at is null and voided_at is null;
  update public.qr_codes set owner_id = null, claimed_at = null where owner_id = account.id;
  -- A development server keeps what it sent.
  delete from internal.development_outbox
    where recipient in (account.email, account.claimed_email, account.new_email, '+' || account.phone, '+' || account.new_phone,
      (select email from public.profiles where id = account.id),
      (select phone from public.profiles where id = account.id));
  delete from auth.users where id = account.id;
end
$$;

-- As before, and a batch that is voided again has the latest reason. Its time stays the first one, which is by what
-- `restore_batch` finds the codes that were voided with it.
create or replace function public.void_batch(batch_id_param uuid, reason_param text, claimed_too boolean default false)
  returns jsonb
  language plpgsql
  set search_path = ''
  as $$
declare
  batch public.sticker_batches;
  qr_ids text[];
begin
  update public.sticker_batches
    set voided_at = coalesce(voided_at, now()), void_reason = reason_param
    where id = batch_id_param returning * into batch;
  if not found then
    raise exception 'No batch has this id' using errcode = 'PT404';
  end if;
  with voided as (
    update public.qr_codes set voided_at = batch.voided_at, void_reason = batch.void_reason
      where batch_id = batch.id and voided_at is null and (owner_id is null or claimed_too)
      returning qr_id
  )
  select coalesce(array_agg(qr_id), '{}') into qr_ids from voided;
  perform internal.announce_void_codes('codes_voided', qr_ids);
  return jsonb_build_object(
    'voided', cardinality(qr_ids),
    'claimed', (select count(*) from public.qr_codes where batch_id = batch.id and voided_at is null)
  );
end
$$;

-- Codes that lost their owner after their batch was voided.
update public.qr_codes as code set voided_at = batch.voided_at, void_reason = batch.void_reason
  from public.sticker_batches as batch
  where batch.voided_at is not null and code.batch_id = batch.id and code.owner_id is null and code.voided_at is null;

grant create on schema internal to service_role;
alter function internal.void_freed_code() owner to service_role;
alter function internal.hold_batches_of_account() owner to service_role;
revoke create on schema internal from service_role;
grant execute on function internal.hold_batches(text[]) to service_role;
