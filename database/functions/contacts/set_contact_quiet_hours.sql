-- Without times there are no quiet hours.
create or replace function internal.set_contact_quiet_hours(
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
