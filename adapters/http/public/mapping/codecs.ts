import * as t from 'io-ts';
import { fields, optional, text } from '../../../../domain/kernel/codecs';
import { EdgeDefinition, NodeDefinition, PrimaryKeyType, PropertyType } from '../../../../domain/mapping';
import { nullableText } from '../codecs';

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

export const mappingFields = {
  id: t.number,
  owner_username: t.string,
  name: t.string,
  description: t.string,
  current_version: t.number,
  ttl: nullableText,
  inactivity_timeout: t.string,
  created_at: t.string,
  updated_at: t.string,
};

export const versionFields = {
  version: t.number,
  change_description: nullableText,
  created_at: t.string,
  created_by: t.string,
  created_by_name: t.string,
};

export const MappingVersion = t.strict({
  mapping_id: t.number,
  ...versionFields,
  node_definitions: t.readonlyArray(NodeDefinition),
  edge_definitions: t.readonlyArray(EdgeDefinition),
});

/** The answer to creating and copying. */
export const CreatedMapping = t.strict({
  id: t.number,
  owner_username: t.string,
  name: t.string,
  current_version: t.number,
  created_at: t.string,
});
