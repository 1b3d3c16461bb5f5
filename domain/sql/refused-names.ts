/** Functions allowed in FROM: they do not access anything outside the query. */
const TABLE_FUNCTIONS = new Set(['range', 'generate_series', 'unnest', 'sequence']);

/** Functions that read files, addresses, settings, the engine's catalogs, or run text as SQL. */
const REACHING_FUNCTIONS = [
  /^(read_|write_|sniff_|parquet_|duckdb_|pragma_|iceberg_|delta_|sqlite_|postgres_|mysql_|st_read|inet_|load_aws_)/,
  /(_scan|_scan_dumb|_attach)$/,
  /^(query|query_table|json_execute_serialized_sql|json_serialize_plan|raw_query|getenv|getvariable|which_secret)$/,
  /^(current_setting|set_config|current_query|current_schemas|version|nextval|currval|setseed)$/,
  /^(pg_read_file|pg_read_binary_file|pg_ls_dir|pg_stat_file|pg_conf_load_time|pg_postmaster_start_time)$/,
  /^(pg_get_viewdef|pg_get_expr|pg_get_constraintdef|sql_auto_complete|test_all_types|copy_database)$/,
  /^(enable|disable)_(logging|profiling|peg_parser)$/,
  /^(force_checkpoint|truncate_duckdb_logs|check_peg_parser|parse_duckdb_log_message)$/,
];

/** System tables and views of an engine, in any catalog. */
const ENGINE_TABLES =
  /^(duckdb_.*|pragma_.*|sqlite_(temp_)?(master|schema)|pg_(am|attrdef|attribute|class|collation|constraint|database|depend|description|enum|index|indexes|namespace|prepared_statements|proc|sequence|sequences|settings|tables|tablespace|type|views))$/;

const FILE_NAME =
  /[/\\*?]|\.(csv|tsv|txt|json|jsonl|ndjson|parquet|arrow|feather|avro|xlsx|db|duckdb|sqlite|gz|zst|bz2)$/i;

/** Whether a function must not be called anywhere in a query. Names without regard to case. */
export const isReachingFunction = (name: string): boolean => {
  const lower = name.toLowerCase();
  return REACHING_FUNCTIONS.some((pattern) => pattern.test(lower));
};

/** Why a function is not allowed in FROM, null when it is. `path` is its qualified name. */
export const refusalOfTableFunction = (path: readonly string[]): string | null =>
  path.length === 1 && TABLE_FUNCTIONS.has(path[0]?.toLowerCase() ?? '')
    ? null
    : `the function ${path.join('.')} is not allowed in FROM; allowed are ${[...TABLE_FUNCTIONS].join(', ')}`;

/** Why a table must not be read, null when it is allowed. */
export const refusalOfTable = (path: readonly string[]): string | null => {
  const name = path.join('.');
  const lower = path.map((part) => part.toLowerCase());
  const ofEngine =
    lower.some((part) => part === 'information_schema' || part === 'pg_catalog') ||
    (lower[0] === 'system' && lower.length > 1) ||
    ENGINE_TABLES.test(lower.at(-1) ?? '');
  if (ofEngine) return `${name} belongs to the engine's own catalogs, which queries may not read`;
  return path.some((part) => FILE_NAME.test(part)) ? `"${name}" looks like a file; queries may read tables only` : null;
};

/** First words of statements. Most of them may also be names of tables. */
export const STATEMENT_WORDS = new Set<string | null>([
  ...['alter', 'analyze', 'attach', 'begin', 'call', 'checkpoint', 'comment', 'commit', 'copy', 'create', 'deallocate'],
  ...['delete', 'deny', 'detach', 'drop', 'execute', 'explain', 'export', 'force', 'grant', 'import', 'insert'],
  ...['install', 'load', 'merge', 'pragma', 'prepare', 'refresh', 'reset', 'revoke', 'rollback', 'set', 'start'],
  ...['truncate', 'update', 'use', 'vacuum'],
]);

/** Words that may follow a table or its alias. */
export const AFTER_TABLES = new Set<string | null>([
  ...['join', 'inner', 'left', 'right', 'full', 'outer', 'cross', 'natural', 'asof', 'positional', 'semi', 'anti'],
  ...['tablesample', 'for', 'at', 'with', 'pivot', 'unpivot', 'match_recognize'],
]);
