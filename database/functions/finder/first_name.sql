-- The first word of a name, which is all that finders see of an owner. Addresses, links, and phone numbers are no part of
-- a name. domain/item/first-name.ts is the same rule.
create or replace function internal.first_name(full_name text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select coalesce((
      select word
        from regexp_split_to_table(
          full_name, '[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200B\u2028\u2029\u202F\u205F\u3000\uFEFF]+'
        ) with ordinality as part (text, place)
        cross join lateral (select internal.trim_blanks(part.text)) as trimmed (word)
        cross join lateral (select normalize(word, nfkc)) as normalized (plain)
        where word <> ''
          and plain !~* '[@/\\:]|^www\.|^[0-9\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\u09E6-\u09EF\u0E50-\u0E59+()#*.,\u2010-\u2015\u2212-]*$'
          and char_length(regexp_replace(
            plain, '[^0-9\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\u09E6-\u09EF\u0E50-\u0E59]', '', 'g'
          )) < 6
        order by place
        limit 1
    ), 'Item Owner')
  $$;

grant execute on function internal.first_name(text) to service_role;
