import * as t from 'io-ts';
import { endpoint } from '../../../../adapters/http/kit/endpoint';
import { described } from '../../../../adapters/http/kit/json-schema-of';
import { IdParams, pageFields, PathId, QueryTimestamp } from '../../../../adapters/http/kit/request-codecs';
import { Duration, fields, nullable, optional, text } from '../../../../domain/kernel/codecs';

export const Planet = t.strict({
  id: t.number,
  name: t.string,
  kind: t.keyof({ rocky: null, gas: null }),
  moon_count: t.union([t.number, t.null]),
  orbit: t.union([t.literal('inner'), t.literal('outer')]),
  masses: t.record(t.string, t.number),
  moons: t.array(t.strict({ name: t.string })),
});

const listPlanets = endpoint('GET /planets', {
  summary: 'List planets',
  access: 'user',
  query: fields({
    ...pageFields,
    star: text({ min: 1, max: 64 }),
    seen_after: optional(QueryTimestamp),
  }),
  success: { status: 200, shape: 'list', body: t.array(Planet) },
  errors: [],
});

const createPlanet = endpoint('POST /planets', {
  summary: 'Create a planet',
  access: 'user',
  body: fields({ name: text({ min: 1, max: 255, notBlank: true }), year: optional(nullable(Duration)) }),
  maxBodyBytes: 4096,
  success: { status: 201, shape: 'data', body: Planet },
  errors: ['ALREADY_EXISTS', 'CONFLICT'],
});

const getPlanet = endpoint('GET /planets/{id}', {
  summary: 'Read a planet',
  access: 'anybody',
  params: IdParams,
  success: { status: 200, shape: 'flat', body: Planet },
  errors: [],
});

const deletePlanet = endpoint('DELETE /planets/{id}', {
  summary: 'Delete a planet',
  access: 'ops',
  params: IdParams,
  success: { status: 204, shape: 'empty', body: t.undefined },
  errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
});

const moveMoon = endpoint('PATCH /planets/{id}/moons/{moon}', {
  summary: 'Move a moon',
  access: 'worker',
  params: fields({ id: PathId, moon: text({ min: 1, max: 64 }) }),
  body: fields({ planet_id: t.number }),
  success: { status: 202, shape: 'json_text', body: described({ type: 'object' }, t.string) },
  errors: [],
  detailErrors: ['RESOURCE_NOT_FOUND'],
});

export const SAMPLE_ENDPOINTS = { listPlanets, createPlanet, getPlanet, deletePlanet, moveMoon };
