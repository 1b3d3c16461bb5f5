import * as t from 'io-ts';
import { fields, optional, text } from '../../../../domain/kernel/codecs';
import { EdgeDefinition, NodeDefinition, PrimaryKeyType, PropertyType } from '../../../../domain/mapping';

const Properties = optional(t.readonlyArray(fields({ name: t.string, type: PropertyType })));

export const Sql = text({ min: 1, max: 100_000 });

export const NodeDefinitionBodies = t.readonlyArray(
  fields({
    ...NodeDefinition.type.props,
    sql: Sql,
    primary_key: fields({ name: t.string, type: PrimaryKeyType }),
    properties: Properties,
  }),
);

export const EdgeDefinitionBodies = t.readonlyArray(
  fields({ ...EdgeDefinition.type.props, sql: Sql, properties: Properties }),
);

/** The answer to creating and copying. */
export const CreatedMapping = t.strict({
  id: t.number,
  owner_username: t.string,
  name: t.string,
  current_version: t.number,
  created_at: t.string,
});
