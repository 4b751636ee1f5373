-- Writes that a call of an operator was refused, which may say that an account is there, or what it is: after the refusal,
-- in a transaction of its own. The account is named by its id, address, or number, and the entry has its id. Nothing is
-- written for a caller without the role, who learns nothing.
create or replace function internal.note_refusal(operator_param uuid, what_param text, about_param text, code_param text)
  returns void
  language sql
  set search_path = ''
  as $$
    insert into auth.audit_log (event, user_id, by_operator, details)
      select 'operator_refused', (
          select id from auth.users
            where deleted_at is null and (
              id::text = about.named or email = about.named or claimed_email = about.named or phone = about.digits
            )
            order by email is null, created_at limit 1
        ), true, jsonb_build_object('what', what_param, 'operator', operator_param, 'code', code_param)
        from (
          select lower(internal.trim_blanks(about_param)) as named, case
            when about_param ~ '^\s*\+[0-9 ()./-]+\s*$' then nullif(regexp_replace(about_param, '[^0-9]', '', 'g'), '')
          end as digits
        ) as about
        where exists (select from internal.operators where user_id = operator_param)
  $$;
