-- A UUID of version 7 (RFC 9562), as `timeOrderedId` makes them: 48 bits of milliseconds before 74 random ones. The
-- version is in the upper bits of the seventh byte, where version 4 has set one of the three. PostgreSQL has its own
-- `uuidv7` since 18.
create or replace function internal.time_ordered_id() returns uuid
  language sql volatile parallel safe
  set search_path = ''
  return encode(
    set_bit(
      set_bit(
        overlay(
          uuid_send(gen_random_uuid())
          placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1
        ),
        52, 1
      ),
      53, 1
    ),
    'hex'
  )::uuid;
