import * as t from 'io-ts';
import { fields, optional, text } from '../../../../domain/kernel/codecs';
import { PrimaryKeyType, PropertyType } from '../../../../domain/mapping';

const Properties = optional(t.readonlyArray(fields({ name: t.string, type: PropertyType })));

export const Sql = text({ min: 1, max: 100_000 });

export const NodeDefinitionBodies = t.readonlyArray(
  fields({
    label: t.string,
    sql: Sql,
    primary_key: fields({ name: t.string, type: PrimaryKeyType }),
    properties: Properties,
  }),
);

export const EdgeDefinitionBodies = t.readonlyArray(
  fields({
    type: t.string,
    sql: Sql,
    from_key: t.string,
    to_key: t.string,
    from_node: t.string,
    to_node: t.string,
    properties: Properties,
  }),
);

/** The answer to creating and copying. */
export const CreatedMapping = t.strict({
  id: t.number,
  owner_username: t.string,
  name: t.string,
  current_version: t.number,
  created_at: t.string,
});
