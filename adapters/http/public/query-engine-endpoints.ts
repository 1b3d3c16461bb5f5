import * as t from 'io-ts';
import { fields, text } from '../../../domain/kernel/codecs';
import { endpoint } from '../kit';
import { nullableText } from './codecs';

const Part = text({ min: 1, max: 500 });
const Names = t.readonlyArray(t.string);

export const queryEngineEndpoints = {
  browseCatalogs: endpoint({
    method: 'GET',
    path: '/queryengine/catalogs',
    summary: 'Names of the catalogs queries may read',
    access: 'user',
    success: { status: 200, shape: 'data', body: t.strict({ catalogs: Names, cached_at: nullableText }) },
    errors: [],
  }),
  browseSchemas: endpoint({
    method: 'GET',
    path: '/queryengine/schemas',
    summary: 'Names of the schemas of a catalog',
    access: 'user',
    query: fields({ catalog: Part }),
    success: {
      status: 200,
      shape: 'data',
      body: t.strict({ catalog: t.string, schemas: Names, cached_at: t.string }),
    },
    errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
  }),
  browseTables: endpoint({
    method: 'GET',
    path: '/queryengine/tables',
    summary: 'Names of the tables of a schema',
    access: 'user',
    query: fields({ catalog: Part, schema: Part }),
    success: {
      status: 200,
      shape: 'data',
      body: t.strict({ catalog: t.string, schema: t.string, tables: Names, cached_at: t.string }),
    },
    errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
  }),
  browseColumns: endpoint({
    method: 'GET',
    path: '/queryengine/columns',
    summary: 'The columns of a table with their types',
    access: 'user',
    query: fields({ catalog: Part, schema: Part, table: Part }),
    success: {
      status: 200,
      shape: 'data',
      body: t.strict({
        catalog: t.string,
        schema: t.string,
        table: t.string,
        columns: t.readonlyArray(t.strict({ name: t.string, type: t.string, nullable: t.boolean })),
        cached_at: t.string,
      }),
    },
    errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
  }),
};
