/** Both are part of the embedded PostgreSQL. They are created in a transaction that is rolled back. */
export const PREPARE = `
  create extension if not exists amcheck;
  create extension if not exists pageinspect;
  select set_config('search_path', string_agg(distinct quote_ident(nspname), ',') || ',pg_catalog', true)
    from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname in ('amcheck', 'pageinspect')`;

/** Tables and b-trees, smallest first. A temporary table has no content for another session. */
export const LIST_RELATIONS = `
  select c.oid, c.oid::regclass::text as name, c.relkind = 'i' as is_index, coalesce(i.indrelid, c.oid) as table_oid
  from pg_class c
    left join pg_index i on i.indexrelid = c.oid
    left join pg_am a on a.oid = c.relam
  where c.relpersistence = 'p'
    and (c.relkind in ('r', 'm', 't') or c.relkind = 'i' and a.amname = 'btree' and i.indisvalid and i.indisready)
  order by pg_relation_size(c.oid), c.oid`;

/** The first damage of a table's pages, rows, and long values ($1). */
export const VERIFY_TABLE = `
  select format('block %s, row %s: %s', blkno, offnum, msg) as found from verify_heapam($1::oid::regclass, true) limit 1`;

/** Fails where an index ($1) is out of order, lacks a row of its table, or holds two where it allows one. */
export const VERIFY_INDEX = `
  select bt_index_check($1::oid::regclass, true, indisunique) from pg_index where indexrelid = $1::oid`;

/**
 * Entries of an index ($1) that point to no row of its table ($2), not even to a dead one. The first item of a leaf with a
 * right sibling is the upper bound of its keys, and no entry.
 */
export const COUNT_ENTRIES_WITHOUT_ROW = `
  with leaf as materialized (
    select block.blkno, stats.btpo_next
    from generate_series(1, pg_relation_size($1::oid::regclass) / current_setting('block_size')::int - 1) as block (blkno),
      bt_page_stats($1::oid::regclass::text, block.blkno) as stats
    where stats.type = 'l'
  ), entry as materialized (
    select unnest(coalesce(item.tids, array[item.htid])) as tid
    from leaf, bt_page_items($1::oid::regclass::text, leaf.blkno) as item
    where leaf.btpo_next = 0 or item.itemoffset > 1
  ), stored as materialized (
    select format('(%s,%s)', block.blkno, item.lp)::tid as tid
    from generate_series(0, pg_relation_size($2::oid::regclass) / current_setting('block_size')::int - 1) as block (blkno),
      heap_page_items(get_raw_page($2::oid::regclass::text, block.blkno)) as item
    where item.lp_flags <> 0
  )
  select format('%s entries without a row', count(*)) as found
  from entry left join stored using (tid)
  where stored.tid is null
  having count(*) > 0`;
