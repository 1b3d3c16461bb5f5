import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decideLifetime, DEFAULT_LIFECYCLE } from '../config';
import { type Decider } from '../kernel/decider';
import { type DomainError, domainError } from '../kernel/errors';
import { checkQuery } from '../sql/check-query';
import { type EdgeDefinition, type NodeDefinition } from './definitions';
import { type MappingEvent } from './events';
import { validateDefinitions } from './validate-definitions';

export interface CreateMapping {
  readonly type: 'CreateMapping';
  readonly mappingId: number;
  readonly ownerName: string;
  readonly name: string;
  readonly description: string;
  readonly ttl: string | null;
  readonly inactivityTimeout: string | null;
  readonly nodeDefinitions: readonly NodeDefinition[];
  readonly edgeDefinitions: readonly EdgeDefinition[];
}

export interface MappingVersion {
  readonly version: number;
  readonly nodeDefinitions: readonly NodeDefinition[];
  readonly edgeDefinitions: readonly EdgeDefinition[];
}

export interface Mapping {
  readonly mappingId: number;
  readonly ownerUsername: string;
  readonly name: string;
  /** Oldest first; version n is at index n - 1. */
  readonly versions: readonly MappingVersion[];
}

export const mappingStream = (mappingId: number): string => `mapping-${mappingId}`;

export const mapping: Decider<CreateMapping, MappingEvent, Mapping | null, DomainError> = {
  initial: null,

  decide: (command, state, { actor }): Either<DomainError, readonly MappingEvent[]> => {
    if (state !== null) {
      return left(
        domainError('ALREADY_EXISTS', `Mapping ${command.mappingId} exists already; send the request again.`),
      );
    }
    const errors = validateDefinitions(command.nodeDefinitions, command.edgeDefinitions);
    if (errors.length > 0) {
      const words = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
      return left(domainError('VALIDATION_FAILED', `The mapping is not valid: ${words}.`, { errors }));
    }
    const lifetime = decideLifetime(command, DEFAULT_LIFECYCLE.mapping);
    if (isLeft(lifetime)) return lifetime;
    const { type: _type, ttl: _ttl, ...rest } = command;
    return right([
      {
        type: 'MappingCreated',
        data: {
          ...rest,
          ...lifetime.right,
          ownerUsername: actor.username,
          nodeDefinitions: command.nodeDefinitions.map(withPlainSql),
          edgeDefinitions: command.edgeDefinitions.map(withPlainSql),
        },
      },
    ]);
  },

  evolve: (_state, { data }) => ({
    mappingId: data.mappingId,
    ownerUsername: data.ownerUsername,
    name: data.name,
    versions: [{ version: 1, nodeDefinitions: data.nodeDefinitions, edgeDefinitions: data.edgeDefinitions }],
  }),
};

/** The definition with its SQL as it will run: without a trailing semicolon. */
const withPlainSql = <D extends { readonly sql: string }>(definition: D): D => {
  const checked = checkQuery(definition.sql);
  return isLeft(checked) ? definition : { ...definition, sql: checked.right };
};
