/** Words that statements begin with. Most of them may be names of tables as well. */
export const STATEMENT_WORDS = new Set<string | null>([
  ...['alter', 'analyze', 'attach', 'begin', 'call', 'checkpoint', 'comment', 'commit', 'copy', 'create', 'deallocate'],
  ...['delete', 'deny', 'detach', 'drop', 'execute', 'explain', 'export', 'force', 'grant', 'import', 'insert'],
  ...['install', 'load', 'merge', 'pragma', 'prepare', 'refresh', 'reset', 'revoke', 'rollback', 'set', 'start'],
  ...['truncate', 'update', 'use', 'vacuum'],
]);

/** What may follow a table, or its alias, beside the end and a comma. */
export const AFTER_TABLES = new Set<string | null>([
  ...['join', 'inner', 'left', 'right', 'full', 'outer', 'cross', 'natural', 'asof', 'positional', 'semi', 'anti'],
  ...['tablesample', 'for', 'at', 'with', 'pivot', 'unpivot', 'match_recognize'],
]);
