/** Tables and views of a schema ($1) with their columns, defaults and primary keys: one row each. */
export const RELATIONS_QUERY = `
select relation.relname as name,
  json_agg(
    json_build_object(
      'name', field.attname,
      'type', pg_catalog.format_type(field.atttypid, field.atttypmod),
      'category', type.typcategory,
      'default', case when field.attgenerated = '' then pg_catalog.pg_get_expr(preset.adbin, preset.adrelid) end
    ) order by field.attnum
  ) as columns,
  coalesce(
    (
      select json_agg(key_field.attname order by key_position.ordinality)
        from pg_catalog.pg_index as key
        cross join lateral unnest(key.indkey::int2[]) with ordinality as key_position (attnum, ordinality)
        join pg_catalog.pg_attribute as key_field
          on key_field.attrelid = relation.oid and key_field.attnum = key_position.attnum
        where key.indrelid = relation.oid and key.indisprimary
    ),
    '[]'
  ) as primary_key
from pg_catalog.pg_class as relation
join pg_catalog.pg_attribute as field
  on field.attrelid = relation.oid and field.attnum > 0 and not field.attisdropped
join pg_catalog.pg_type as type on type.oid = field.atttypid
left join pg_catalog.pg_attrdef as preset on preset.adrelid = relation.oid and preset.adnum = field.attnum
where relation.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = $1)
  and relation.relkind in ('r', 'p', 'v', 'm', 'f')
group by relation.oid, relation.relname`;

/**
 * Functions of a schema ($1) that can be called by argument names, one row each. Modes: i in, o out, b inout,
 * v variadic, t table.
 */
export const FUNCTIONS_QUERY = `
select routine.proname as name,
  routine.provolatile <> 'v' as reads_only,
  routine.proretset as returns_set,
  result_type.typname as result_type,
  result_type.typtype = 'c' as result_is_composite,
  (
    select coalesce(json_agg(
        json_build_object(
          'name', field.attname, 'type', pg_catalog.format_type(field.atttypid, field.atttypmod),
          'category', '', 'default', null
        ) order by field.attnum
      ), '[]')
      from pg_catalog.pg_attribute as field
      where field.attrelid = result_type.typrelid and field.attnum > 0 and not field.attisdropped
        and result_type.typrelid <> 0
  ) as result_columns,
  routine.pronargdefaults as default_count,
  (
    select coalesce(json_agg(
        json_build_object(
          'name', coalesce(routine.proargnames[argument.position], ''),
          'type', pg_catalog.format_type(argument.type, null),
          'category', type.typcategory,
          'mode', coalesce(routine.proargmodes[argument.position], 'i')
        ) order by argument.position
      ), '[]')
      from unnest(coalesce(routine.proallargtypes, routine.proargtypes::oid[])) with ordinality
        as argument (type, position)
      join pg_catalog.pg_type as type on type.oid = argument.type
  ) as arguments
from pg_catalog.pg_proc as routine
join pg_catalog.pg_type as result_type on result_type.oid = routine.prorettype
where routine.pronamespace = (select oid from pg_catalog.pg_namespace where nspname = $1)
  and routine.prokind = 'f'
  and result_type.typname not in ('trigger', 'event_trigger')`;
