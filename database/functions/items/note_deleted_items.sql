-- The codes of a deleted item are free: whoever has its sticker could claim it. Records of items that were given away have
-- none.
create or replace function internal.note_deleted_items() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.make_lasting_change('item_deleted', owner.user_id)
    from (select distinct user_id from gone where given_at is null) as owner
    where owner.user_id = (select auth.uid());
  return null;
end
$$;
