import type { Dialect } from "@/server/sql-text/dialects";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Functions of MySQL and MariaDB that only read, with words that stand before a parenthesis. An allowlist, because their
 * catalogs do not say which functions wait, lock or read files.
 */
const mysqlFunctions = words(`
  abs acos adddate addtime any_value ascii asin atan atan2 avg bin bin_to_uuid bit_and bit_count bit_length bit_or bit_xor
  cast ceil ceiling char char_length character_length charset chr coalesce coercibility collation concat concat_ws conv convert
  convert_tz cos cot count crc32 cume_dist curdate current_date current_time current_timestamp curtime database date date_add
  date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear decode_oracle degrees dense_rank div elt exp export_set
  extract extractvalue field find_in_set first_value floor format format_bytes format_pico_time from_base64 from_days
  from_unixtime geometrycollection get_format greatest group_concat grouping hex hour if ifnull inet6_aton inet6_ntoa inet_aton
  inet_ntoa instr interval is_ipv4 is_ipv6 is_uuid isnull json_array json_array_append json_array_insert json_arrayagg json_compact
  json_contains json_contains_path json_depth json_detailed json_equals json_exists json_extract json_insert json_keys
  json_length json_loose json_merge_patch json_merge_preserve json_normalize json_object json_objectagg json_overlaps json_pretty
  json_query json_quote json_remove json_replace json_search json_set json_table json_type json_unquote json_valid json_value lag
  last_day last_value lcase lead least left length length_natural linestring ln localtime localtimestamp locate log log10 log2
  lower lpad ltrim make_set makedate maketime max md5 mbrcontains mbrwithin median microsecond mid min minute mod month monthname
  multipoint name_const natural_sort_key now nth_value ntile nullif nvl nvl2 oct octet_length ord percent_rank percentile_cont
  percentile_disc period_add period_diff pi point polygon position pow power quarter quote radians rand rank regexp_instr
  regexp_like regexp_replace regexp_substr repeat replace reverse right round row_number rpad rtrim schema sec_to_time second sha
  sha1 sha2 sign sin soundex sqrt st_area st_asgeojson st_astext st_aswkt st_contains st_distance st_distance_sphere
  st_geomfromgeojson st_geomfromtext st_intersects st_latitude st_length st_longitude st_srid st_within st_x st_y std stddev
  stddev_pop stddev_samp str_to_date strcmp subdate substr substring substring_index subtime sum sysdate tan time time_format
  time_to_sec timediff timestamp timestampadd timestampdiff to_base64 to_char to_date to_days to_number to_seconds trim truncate
  ucase unhex unix_timestamp upper utc_date utc_time utc_timestamp uuid uuid_to_bin values var_pop var_samp variance version week
  weekday weekofyear weight_string year yearweek
  all and any as by case by distinct div else end except exists from group having in intersect interval is join lateral like
  limit match against mod not of offset on or order over partition recursive regexp rlike row select some straight_join then
  union using when where window with xor between
  binary bit bigint char character datetime dec decimal double enum fixed float int integer nchar numeric signed smallint
  text tinyint unsigned varbinary varchar
  use force ignore index key columns path
`);

/** Functions of PostgreSQL that its catalog calls stable or that run SQL from a string. Volatile ones are found in the catalog. */
const postgresqlRefused =
  /^(?:dblink.*|load_extension|lo_.*|pg_read_.*|pg_ls_.*|pg_stat_file|pg_sleep.*|pg_(?:try_)?advisory.*|.*_to_xml.*|set_config|setval|nextval|ts_stat|pg_(?:cancel|terminate)_backend|pg_notify|pg_file_.*|pg_logical_.*|pg_(?:create|drop)_.*)$/;

/**
 * Further functions that PostgreSQL 15 to 18 themselves call volatile. The catalog of the database would refuse them too,
 * but only after a person was asked.
 */
const postgresqlVolatile = words(`
  amvalidate array_sample array_shuffle bernoulli binary_upgrade_add_sub_rel_state binary_upgrade_create_empty_extension
  binary_upgrade_logical_slot_has_caught_up binary_upgrade_replorigin_advance binary_upgrade_set_missing_value
  binary_upgrade_set_next_array_pg_type_oid binary_upgrade_set_next_heap_pg_class_oid binary_upgrade_set_next_heap_relfilenode
  binary_upgrade_set_next_index_pg_class_oid binary_upgrade_set_next_index_relfilenode
  binary_upgrade_set_next_multirange_array_pg_type_oid binary_upgrade_set_next_multirange_pg_type_oid
  binary_upgrade_set_next_pg_authid_oid binary_upgrade_set_next_pg_enum_oid binary_upgrade_set_next_pg_tablespace_oid
  binary_upgrade_set_next_pg_type_oid binary_upgrade_set_next_toast_pg_class_oid binary_upgrade_set_next_toast_relfilenode
  binary_upgrade_set_record_init_privs brin_desummarize_range brin_summarize_new_values brin_summarize_range brinhandler bthandler
  current_query currtid2 gin_clean_pending_list ginhandler gisthandler hashhandler heap_tableam_handler loread lowrite
  pg_available_wal_summaries pg_backup_start pg_backup_stop pg_blocking_pids pg_clear_attribute_stats pg_clear_relation_stats
  pg_collation_actual_version pg_control_checkpoint pg_control_init pg_control_recovery pg_control_system
  pg_copy_logical_replication_slot pg_copy_physical_replication_slot pg_current_logfile pg_current_wal_flush_lsn
  pg_current_wal_insert_lsn pg_current_wal_lsn pg_database_collation_actual_version pg_export_snapshot pg_extension_config_dump
  pg_get_aios pg_get_backend_memory_contexts pg_get_loaded_modules pg_get_multixact_members pg_get_sequence_data
  pg_get_shmem_allocations pg_get_shmem_allocations_numa pg_get_wait_events pg_get_wal_replay_pause_state pg_get_wal_resource_managers
  pg_get_wal_summarizer_state pg_hba_file_rules pg_ident_file_mappings pg_import_system_collations pg_is_in_recovery
  pg_is_wal_replay_paused pg_isolation_test_session_is_blocked pg_jit_available pg_last_committed_xact pg_last_wal_receive_lsn
  pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_lock_status pg_log_backend_memory_contexts pg_log_standby_snapshot pg_nextoid
  pg_notification_queue_usage pg_partition_ancestors pg_partition_tree pg_prepared_xact pg_promote pg_reload_conf
  pg_replication_origin_advance pg_replication_origin_create pg_replication_origin_drop pg_replication_origin_progress
  pg_replication_origin_session_is_setup pg_replication_origin_session_progress pg_replication_origin_session_reset
  pg_replication_origin_session_setup pg_replication_origin_xact_reset pg_replication_origin_xact_setup pg_replication_slot_advance
  pg_restore_attribute_stats pg_restore_relation_stats pg_rotate_logfile pg_rotate_logfile_old pg_safe_snapshot_blocking_pids
  pg_sequence_last_value pg_show_all_file_settings pg_show_replication_origin_status pg_stat_clear_snapshot pg_stat_force_next_flush
  pg_stat_get_backend_io pg_stat_get_backend_wal pg_stat_get_io pg_stat_get_recovery_prefetch pg_stat_get_xact_blocks_fetched
  pg_stat_get_xact_blocks_hit pg_stat_get_xact_function_calls pg_stat_get_xact_function_self_time pg_stat_get_xact_function_total_time
  pg_stat_get_xact_numscans pg_stat_get_xact_tuples_deleted pg_stat_get_xact_tuples_fetched pg_stat_get_xact_tuples_hot_updated
  pg_stat_get_xact_tuples_inserted pg_stat_get_xact_tuples_newpage_updated pg_stat_get_xact_tuples_returned
  pg_stat_get_xact_tuples_updated pg_stat_have_stats pg_stat_reset pg_stat_reset_backend_stats pg_stat_reset_replication_slot
  pg_stat_reset_shared pg_stat_reset_single_function_counters pg_stat_reset_single_table_counters pg_stat_reset_slru
  pg_stat_reset_subscription_stats pg_stop_making_pinned_objects pg_switch_wal pg_sync_replication_slots pg_wal_replay_pause
  pg_wal_replay_resume pg_wal_summary_contents pg_xact_commit_timestamp pg_xact_commit_timestamp_origin pg_xact_status
  plpgsql_call_handler plpgsql_inline_handler plpgsql_validator setseed spghandler system ts_rewrite txid_status
`);

/** Functions of extensions of SQLite's shell, and those that reach beyond the file. SQLite's authorizer refuses them too. */
const sqliteRefused = /^(?:load_extension|readfile|writefile|edit|fts3_tokenizer|fsdir|pragma_.*|sqlite_dbdata|sqlite_dbptr)$/;

/** Table functions and functions of ClickHouse that leave the database: files, URLs, other servers and programs. */
const clickhouseRefused =
  /^(?:file|load_extension|url|s3.*|gcs|oss|cosn|hdfs.*|azure.*|filecluster|urlcluster|filesystem.*|remote.*|cluster.*|mysql|postgresql|sqlite|mongodb|redis|jdbc|odbc|executable.*|input|infile|iceberg.*|deltalake.*|hudi.*|paimon.*|ytsaurus|arrowflight|kafka|nats|rabbitmq|dictionary|mergetree.*|loop|sleep.*|generateserialid|catboostevaluate|hasthreadfuzzer|showcertificate|getserversetting|prometheus.*|timeseries.*|fuzz.*|.*executable.*|ai[a-z]*|http.*)$/;

/** Table functions of ClickHouse that only compute. Others are refused behind FROM and JOIN. */
export const clickhouseTableFunctions = words(
  "numbers numbers_mt zeros zeros_mt generate_series generateseries values null generaterandom arrayjoin",
);

/** Returns why a function must not be called; null when the name is harmless, as far as the name can tell. */
export function refusedFunction(name: string, dialect: Dialect): string | null {
  const folded = name.toLowerCase();
  const isRefused = {
    postgresql: () => postgresqlRefused.test(folded) || postgresqlVolatile.has(folded),
    mysql: () => !mysqlFunctions.has(folded),
    sqlite: () => sqliteRefused.test(folded),
    clickhouse: () => clickhouseRefused.test(folded),
  }[dialect]();
  if (!isRefused) return null;
  return dialect === "mysql"
    ? `the function ${name} is not among those that are known to only read`
    : `the function ${name} reaches beyond the tables of the database`;
}

/** Volatile functions of PostgreSQL that change nothing. */
export const harmlessVolatile = words(
  "random random_normal clock_timestamp timeofday gen_random_uuid uuid_generate_v4 uuid_generate_v1 uuidv4 uuidv7 statement_timestamp currval lastval pg_column_size pg_relation_size pg_table_size pg_indexes_size pg_total_relation_size pg_database_size pg_tablespace_size",
);

/** Relations that hold passwords, keys or settings of the server. */
const postgresqlHidden = words(
  "pg_authid pg_shadow pg_user_mapping pg_user_mappings pg_subscription pg_hba_file_rules pg_ident_file_mappings pg_file_settings pg_largeobject pg_foreign_server",
);

/** Returns whether a name is a relation with secrets of the server itself. */
export const isHiddenRelation = (name: string, dialect: Dialect): boolean =>
  dialect === "postgresql" && postgresqlHidden.has(name.toLowerCase());
