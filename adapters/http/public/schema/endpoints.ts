import * as t from 'io-ts';
import { fields, nullable, oneOf, optional, text } from '../../../../domain/kernel/codecs';
import { EdgeDefinition, NodeDefinition } from '../../../../domain/mapping';
import {
  CachedCatalog,
  CachedColumn,
  CachedSchema,
  CachedTable,
  SchemaStats,
} from '../../../../queries/views/schema-cache';
import { data, endpoint, list, pageFields, queryInteger, withDefault } from '../../kit';
import { searchField, sortFields } from '../codecs';

const Part = text({ min: 1, max: 500 });

/** Default limit of a search. */
export const SEARCH_LIMIT = 100;

/** Default number of sample rows. */
export const SAMPLED_ROWS = 10;

const search = {
  access: 'user',
  query: fields({
    ...pageFields,
    q: text({ min: 1, max: 255 }),
    limit: optional(withDefault(queryInteger(1, 1000), SEARCH_LIMIT)),
  }),
} as const;

/** Parameters of the lists of the cache, which does not store creation times. */
const browseFields = <K extends string>(...columns: readonly K[]) =>
  fields({ ...pageFields, ...searchField, ...sortFields(...columns) });

/** The body of POST /mappings for the sample, and the query to draw. */
export const SampleMapping = t.strict({
  name: t.string,
  description: t.string,
  node_definitions: t.readonlyArray(NodeDefinition),
  edge_definitions: t.readonlyArray(EdgeDefinition),
  query: t.string,
});

export const schemaEndpoints = {
  listSchemaCatalogs: endpoint('GET /schema/catalogs', {
    access: 'user',
    summary: 'The catalogs of the query engine, as they were last read',
    query: browseFields('catalog_name', 'schema_count', 'cached_at'),
    success: list(CachedCatalog),
  }),
  listCatalogSchemas: endpoint('GET /schema/catalogs/{catalog}/schemas', {
    access: 'user',
    summary: 'The schemas of a catalog that hold tables',
    resource: 'catalog',
    params: fields({ catalog: Part }),
    query: browseFields('schema_name', 'table_count'),
    success: list(CachedSchema),
  }),
  listSchemaTables: endpoint('GET /schema/catalogs/{catalog}/schemas/{schema}/tables', {
    access: 'user',
    summary: 'The tables of a schema',
    resource: 'schema',
    params: fields({ catalog: Part, schema: Part }),
    query: browseFields('table_name', 'table_type', 'column_count'),
    success: list(CachedTable),
  }),
  listTableColumns: endpoint('GET /schema/catalogs/{catalog}/schemas/{schema}/tables/{table}/columns', {
    access: 'user',
    summary: 'The columns of a table, in their order',
    resource: 'table',
    params: fields({ catalog: Part, schema: Part, table: Part }),
    query: browseFields('ordinal_position', 'column_name', 'data_type'),
    success: list(CachedColumn),
  }),
  sampleTableRows: endpoint('GET /schema/catalogs/{catalog}/schemas/{schema}/tables/{table}/rows', {
    access: 'user',
    summary: 'Sample rows of a table, values as text; long values are truncated',
    resource: 'table',
    params: fields({ catalog: Part, schema: Part, table: Part }),
    query: fields({ limit: optional(withDefault(queryInteger(1, 100), SAMPLED_ROWS)) }),
    success: data(t.readonlyArray(t.record(t.string, nullable(t.string)))),
    errors: ['QUERYENGINE_ERROR'],
  }),
  searchSchemaTables: endpoint('GET /schema/search/tables', {
    ...search,
    summary: 'Tables by a prefix of their names, case-insensitive',
    success: list(CachedTable),
  }),
  searchSchemaColumns: endpoint('GET /schema/search/columns', {
    ...search,
    summary: 'Columns by a prefix of their names, case-insensitive',
    success: list(CachedColumn),
  }),
  refreshSchemaCache: endpoint('POST /schema/admin/refresh', {
    summary:
      'Read the catalogs of the query engine again, in the background; a running refresh begins again when it ends. Done when last_refresh of the stats, or started_at of their last_failure, is not before requested_at',
    access: 'admin',
    success: data(t.strict({ status: oneOf('started', 'already_running'), requested_at: t.string })),
  }),
  addSample: endpoint('POST /schema/sample', {
    summary: 'Add the tables of an invented bank to the warehouse, and return their mapping with a first query',
    access: 'admin',
    takesLong: true,
    success: data(SampleMapping),
    errors: ['INVALID_STATE'],
  }),
  getSchemaStats: endpoint('GET /schema/stats', {
    summary: 'Number of cached objects, time of the last refresh, and size of the indexes',
    access: 'admin',
    success: data(SchemaStats),
  }),
};
