import type { Dialect } from "./tokens";

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
    postgresql: () => postgresqlRefused.test(folded),
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
  "random random_normal clock_timestamp timeofday gen_random_uuid uuid_generate_v4 uuid_generate_v1 uuidv4 uuidv7 statement_timestamp",
);

/** Relations that hold passwords, keys or settings of the server. */
const postgresqlHidden = words(
  "pg_authid pg_shadow pg_user_mapping pg_user_mappings pg_subscription pg_hba_file_rules pg_ident_file_mappings pg_file_settings pg_largeobject pg_foreign_server",
);

/** Returns whether a name is a relation with secrets of the server itself. */
export const isHiddenRelation = (name: string, dialect: Dialect): boolean =>
  dialect === "postgresql" && postgresqlHidden.has(name.toLowerCase());
