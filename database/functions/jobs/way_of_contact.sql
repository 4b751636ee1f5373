-- What the name of a job about a second contact ends with: jobs that send SMS have workers of their own.
create or replace function internal.way_of_contact(contact_id_param uuid) returns text
  language sql stable
  set search_path = ''
  as $$
    select case when exists (select from public.second_contacts where id = contact_id_param and phone is not null)
      then '_by_sms' else '' end
  $$;
