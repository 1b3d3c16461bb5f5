/** The one place that names the engine's package. What another one would change: docs/adr/0032. */
export { Connection, Database, type KuzuValue, type PreparedStatement, type QueryResult } from 'kuzu';
