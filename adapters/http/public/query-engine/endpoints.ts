import * as t from 'io-ts';
import { fields, nullable, optional, text } from '../../../../domain/kernel/codecs';
import { SuggestedDefinitions } from '../../../../domain/sql-tools';
import { data, endpoint } from '../../kit';
import { Sql } from '../mapping/endpoints';

const Part = text({ min: 1, max: 500 });
const Names = t.readonlyArray(t.string);

const browse = { access: 'user', errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'] } as const;

export const queryEngineEndpoints = {
  browseCatalogs: endpoint('GET /queryengine/catalogs', {
    summary: 'Names of the catalogs queries may read',
    access: 'user',
    success: data(t.strict({ catalogs: Names, cached_at: nullable(t.string) })),
  }),
  browseSchemas: endpoint('GET /queryengine/schemas', {
    ...browse,
    summary: 'Names of the schemas of a catalog',
    query: fields({ catalog: Part }),
    success: data(t.strict({ catalog: t.string, schemas: Names, cached_at: t.string })),
  }),
  browseTables: endpoint('GET /queryengine/tables', {
    ...browse,
    summary: 'Names of the tables of a schema',
    query: fields({ catalog: Part, schema: Part }),
    success: data(t.strict({ catalog: t.string, schema: t.string, tables: Names, cached_at: t.string })),
  }),
  browseColumns: endpoint('GET /queryengine/columns', {
    ...browse,
    summary: 'The columns of a table with their types',
    query: fields({ catalog: Part, schema: Part, table: Part }),
    success: data(
      t.strict({
        catalog: t.string,
        schema: t.string,
        table: t.string,
        columns: t.readonlyArray(t.strict({ name: t.string, type: t.string, nullable: t.boolean })),
        cached_at: t.string,
      }),
    ),
  }),
  parseSql: endpoint('POST /queryengine/parse-sql', {
    summary: 'Suggest node and edge definitions for queries; nothing runs',
    access: 'user',
    maxBodyBytes: 8 * 1024 * 1024,
    body: fields({
      node_queries: optional(t.readonlyArray(Sql)),
      edge_queries: optional(t.readonlyArray(Sql)),
    }),
    success: data(SuggestedDefinitions),
    errors: ['PERMISSION_DENIED', 'QUERYENGINE_ERROR'],
  }),
  validateSql: endpoint('POST /queryengine/validate', {
    summary: 'Check a query and return its columns; nothing runs',
    access: 'user',
    body: fields({ sql: Sql }),
    success: data(
      t.union([
        t.strict({
          valid: t.literal(true),
          columns: t.readonlyArray(t.strict({ name: t.string, type: t.string })),
          /** What an export will reject, or which values may not be as expected. */
          warnings: t.readonlyArray(t.string),
        }),
        t.strict({
          valid: t.literal(false),
          error: t.string,
          position: nullable(t.strict({ line: t.number, column: t.number })),
        }),
      ]),
    ),
    errors: ['PERMISSION_DENIED', 'QUERYENGINE_ERROR'],
  }),
};
