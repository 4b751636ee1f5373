-- The first word of a name, which is all that finders see of an owner. Addresses, links, and phone numbers are no part of
-- a name. domain/item/first-name.ts is the same rule.
create or replace function internal.first_name(full_name text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select coalesce((
      select word
        from (select
          -- The digits of all scripts (Unicode, Decimal_Number), after NFKC. U+1CCF0 and on are plain digits after it only
          -- from Unicode 16, which PostgreSQL knows since version 18.
          '0-9\u0660-\u0669\u06F0-\u06F9\u07C0-\u07C9\u0966-\u096F\u09E6-\u09EF\u0A66-\u0A6F\u0AE6-\u0AEF'
          || '\u0B66-\u0B6F\u0BE6-\u0BEF\u0C66-\u0C6F\u0CE6-\u0CEF\u0D66-\u0D6F\u0DE6-\u0DEF\u0E50-\u0E59'
          || '\u0ED0-\u0ED9\u0F20-\u0F29\u1040-\u1049\u1090-\u1099\u17E0-\u17E9\u1810-\u1819\u1946-\u194F'
          || '\u19D0-\u19D9\u1A80-\u1A89\u1A90-\u1A99\u1B50-\u1B59\u1BB0-\u1BB9\u1C40-\u1C49\u1C50-\u1C59'
          || '\uA620-\uA629\uA8D0-\uA8D9\uA900-\uA909\uA9D0-\uA9D9\uA9F0-\uA9F9\uAA50-\uAA59\uABF0-\uABF9'
          || '\U000104A0-\U000104A9\U00010D30-\U00010D39\U00010D40-\U00010D49\U00011066-\U0001106F'
          || '\U000110F0-\U000110F9\U00011136-\U0001113F\U000111D0-\U000111D9\U000112F0-\U000112F9'
          || '\U00011450-\U00011459\U000114D0-\U000114D9\U00011650-\U00011659\U000116C0-\U000116C9'
          || '\U000116D0-\U000116E3\U00011730-\U00011739\U000118E0-\U000118E9\U00011950-\U00011959'
          || '\U00011BF0-\U00011BF9\U00011C50-\U00011C59\U00011D50-\U00011D59\U00011DA0-\U00011DA9'
          || '\U00011DE0-\U00011DE9\U00011F50-\U00011F59\U00016130-\U00016139\U00016A60-\U00016A69'
          || '\U00016AC0-\U00016AC9\U00016B50-\U00016B59\U00016D70-\U00016D79\U0001CCF0-\U0001CCF9\U0001E140-\U0001E149'
          || '\U0001E2F0-\U0001E2F9\U0001E4F0-\U0001E4F9\U0001E5F1-\U0001E5FA\U0001E950-\U0001E959'
        ) as every (digit)
        cross join regexp_split_to_table(
          full_name,
          '[\u0009-\u000D\u0020\u0085\u00A0\u115F\u1160\u1680\u2000-\u200B\u2028\u2029\u202F\u205F\u2800\u3000\u3164\uFEFF\uFFA0]+'
        ) with ordinality as part (text, place)
        cross join lateral (select internal.trim_blanks(part.text)) as trimmed (word)
        cross join lateral (select normalize(word, nfkc)) as normalized (plain)
        where word <> ''
          and plain !~* ('[@/\\:]|^www\.|^[' || digit || '+()#*.,\u2010-\u2015\u2212-]*$')
          and char_length(regexp_replace(plain, '[^' || digit || ']', '', 'g')) < 6
        order by place
        limit 1
    ), 'Item Owner')
  $$;
