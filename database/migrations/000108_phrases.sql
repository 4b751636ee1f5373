-- kind: compatible
-- What finders and owners say without typing, with a day and time, a desk, or an amount, and the language of what they type.
alter table public.messages
  add column moment timestamptz check (moment between '2000-01-01 00:00:00+00' and '3000-01-01 00:00:00+00'),
  add column time_zone text check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$'),
  add column desk text check (desk in ('desk', 'police', 'driver', 'reception')),
  add column amount numeric(9,2) check (amount > 0 and amount < 10000000),
  add column currency text check (currency ~ '^[A-Z]{3}$'),
  add column language text check (language ~ '^[a-z]{2}(-[A-Za-z]{2,4})?$'),
  add constraint messages_fields_check check (num_nulls(moment, time_zone) <> 1 and num_nulls(amount, currency) <> 1 and
    (desk is not null) = (kind = 'handed_in') and
    case kind
      when 'can_bring' then true
      when 'here_until' then moment is not null
      when 'can_come' then true
      else moment is null
    end and (amount is null or kind = 'please_post') and (place is not null or kind <> 'please_leave')),
  drop constraint messages_kind_check,
  add constraint messages_kind_check check (case sender
    when 'finder' then kind in ('text', 'have_it', 'left_it', 'saw_it', 'photo', 'can_bring', 'here_until', 'handed_in',
      'can_post', 'yes', 'no', 'thanks')
    else kind in ('text', 'where', 'can_come', 'please_leave', 'please_post', 'please_photo', 'still_there', 'thanks',
      'not_mine') and latitude is null and (place is null or kind in ('can_come', 'please_leave'))
    end),
  drop constraint messages_of_owners_check;
comment on column public.messages.time_zone is 'Where the sender was when they named the moment. IANA.';
comment on column public.messages.language is 'That of the page on which it was written. BCP 47.';
create trigger messages_check_time_zone before insert on public.messages
  for each row when (new.time_zone is not null) execute function internal.check_time_zone();
