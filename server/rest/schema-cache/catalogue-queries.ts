/** Tables and views of a schema ($1) with their columns, defaults, privileges and primary keys: one row each. */
export const RELATIONS_QUERY = `
select relation.oid::text as id,
  relation.relname as name,
  json_agg(
    json_build_object(
      'name', field.attname,
      'type', pg_catalog.format_type(field.atttypid, field.atttypmod),
      'category', type.typcategory,
      'default', case
        when field.attidentity = 'd' then pg_catalog.format('nextval(%L::regclass)',
          pg_catalog.pg_get_serial_sequence(relation.oid::regclass::text, field.attname))
        when field.attgenerated <> '' then null
        when preset.adbin is null then pg_catalog.pg_get_expr(type.typdefaultbin, 0)
        else pg_catalog.pg_get_expr(preset.adbin, preset.adrelid)
      end,
      'number', field.attnum,
      'known_to', (
        select coalesce(json_agg(role.rolname), '[]')
          from pg_catalog.pg_roles as role
          where role.rolname in ('anon', 'authenticated', 'service_role')
            and pg_catalog.has_column_privilege(role.oid, relation.oid, field.attnum, 'select, insert, update')
      )
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

/** Foreign keys of the database, those of partitions left out: one row each. Tables are named by their ids. */
export const FOREIGN_KEYS_QUERY = `
select key.conname as name,
  key.conrelid::text as source,
  key.confrelid::text as referenced,
  key.conkey as source_columns,
  key.confkey as referenced_columns,
  exists (
    select from pg_catalog.pg_index as index
      where index.indrelid = key.conrelid and index.indisunique and index.indpred is null and index.indexprs is null
        and (index.indkey::int2[])[0:index.indnkeyatts - 1] <@ key.conkey
  ) as is_unique
from pg_catalog.pg_constraint as key
where key.contype = 'f' and key.conparentid = 0
order by key.conname, key.conrelid`;

/**
 * Constraints and unique indexes of a schema's ($1) tables by name, with the numbers of the table's columns that each
 * depends on: one row each. An index that belongs to a constraint has its name, and the columns of its expressions.
 */
export const CONSTRAINTS_QUERY = `
select named.relation::text as relation, named.name,
  coalesce(json_agg(looked_at.refobjsubid) filter (where looked_at.refobjsubid is not null), '[]') as columns
from (
  select 'pg_catalog.pg_constraint'::regclass as class, oid, conname as name, conrelid as relation
    from pg_catalog.pg_constraint
    where conrelid <> 0
  union all
  select 'pg_catalog.pg_class'::regclass, index.oid, index.relname, pg_index.indrelid
    from pg_catalog.pg_index
    join pg_catalog.pg_class as index on index.oid = pg_index.indexrelid
    where pg_index.indisunique or pg_index.indisexclusion
) as named
join pg_catalog.pg_class as relation on relation.oid = named.relation
left join pg_catalog.pg_depend as looked_at
  on looked_at.classid = named.class and looked_at.objid = named.oid
    and looked_at.refclassid = 'pg_catalog.pg_class'::regclass and looked_at.refobjid = named.relation
    and looked_at.refobjsubid > 0
where relation.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = $1)
group by named.relation, named.name`;

/**
 * The columns of tables or other views that the columns of a schema's ($1) views come from. PostgreSQL records this
 * only in the view's stored query, which it prints as a node tree; an entry of its select list is identified by
 * position and name.
 */
export const VIEW_COLUMNS_QUERY = `
select distinct view.oid::text as view, field.attnum as column, origin[3] as source, origin[4]::int as source_column
from pg_catalog.pg_class as view
join pg_catalog.pg_rewrite as rule on rule.ev_class = view.oid and rule.rulename = '_RETURN'
cross join lateral regexp_matches(
  rule.ev_action::text,
  ':resno (\\d+) :resname (\\S+) :ressortgroupref \\d+ :resorigtbl (\\d+) :resorigcol (\\d+)', 'g'
) as origin
join pg_catalog.pg_attribute as field
  on field.attrelid = view.oid and field.attnum = origin[1]::int and field.attname = origin[2]
where view.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = $1)
  and view.relkind in ('v', 'm') and origin[3] <> '0'`;

/**
 * Functions of a schema ($1) that can be called by argument names, one row each. Modes: i in, o out, b inout,
 * v variadic, t table. The modifier -1 is "any length": `character` alone would mean one character, and cut a value off.
 */
export const FUNCTIONS_QUERY = `
select routine.proname as name,
  routine.provolatile <> 'v' as reads_only,
  routine.proretset as returns_set,
  result_type.typname as result_type,
  result_type.typtype = 'c' as result_is_composite,
  nullif(result_type.typrelid, 0)::text as result_relation,
  routine.prorows = 1 as returns_one_row,
  (
    select coalesce(json_agg(
        json_build_object(
          'name', field.attname, 'type', pg_catalog.format_type(field.atttypid, field.atttypmod),
          'category', '', 'default', null, 'number', field.attnum, 'known_to', '[]'::json
        ) order by field.attnum
      ), '[]')
      from pg_catalog.pg_attribute as field
      where field.attrelid = result_type.typrelid and field.attnum > 0 and not field.attisdropped
        and result_type.typrelid <> 0
  ) as result_columns,
  routine.pronargdefaults as default_count,
  (
    select coalesce(json_agg(role.rolname), '[]')
      from pg_catalog.pg_roles as role
      where role.rolname in ('anon', 'authenticated', 'service_role')
        and pg_catalog.has_function_privilege(role.oid, routine.oid, 'execute')
  ) as known_to,
  (
    select coalesce(json_agg(
        json_build_object(
          'name', coalesce(routine.proargnames[argument.position], ''),
          'type', pg_catalog.format_type(argument.type, -1),
          'category', type.typcategory,
          'from_json', (
            with recursive inner_type as (
              select 0 as depth, type.oid, type.typtype, type.typbasetype, type.typcategory, type.typelem
              union all
              select depth + 1, deeper.oid, deeper.typtype, deeper.typbasetype, deeper.typcategory, deeper.typelem
                from inner_type
                join pg_catalog.pg_type as deeper
                  on deeper.oid = case when inner_type.typtype = 'd' then inner_type.typbasetype
                    when inner_type.typcategory = 'A' then inner_type.typelem end
            )
            select bool_or(typtype = 'c' or (depth > 0 and oid in ('json'::regtype, 'jsonb'::regtype)))
              from inner_type
          ),
          'relation', nullif(type.typrelid, 0)::text,
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
