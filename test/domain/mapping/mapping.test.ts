import { edgeColumns, mapping, type MappingEvent, nodeColumns } from '../../../domain/mapping';
import { createMappingCommand, knowsEdge, personNode } from '../../support/domain-samples';
import { given } from '../../support/given-when-then';

const created: MappingEvent = {
  type: 'MappingCreated',
  data: {
    mappingId: 1,
    ownerUsername: 'ada',
    ownerName: 'Ada L.',
    name: 'Friends',
    description: '',
    ttl: null,
    inactivityTimeout: 'P30D',
    nodeDefinitions: [personNode],
    edgeDefinitions: [knowsEdge],
  },
};

describe('mapping', () => {
  it('belongs to its creator and gets the default lifetime', () => {
    given(mapping).when(createMappingCommand()).happens(created);
  });

  it('is created under an unused id', () => {
    given(mapping, created).when(createMappingCommand()).isRefused('CONFLICT');
  });

  it('keeps its SQL without a trailing semicolon', () => {
    const withSemicolon = { ...personNode, sql: `${personNode.sql};` };
    given(mapping)
      .when(createMappingCommand({ nodeDefinitions: [withSemicolon] }))
      .happens(created);
  });

  it('invalid definitions are rejected, each error with its field', () => {
    given(mapping)
      .when(createMappingCommand({ nodeDefinitions: [{ ...personNode, label: '1' }], edgeDefinitions: [] }))
      .isRefused('VALIDATION_FAILED', { errors: [{ field: 'node_definitions.0.label' }] });
  });

  it('a lifetime above the maximum is rejected', () => {
    given(mapping)
      .when(createMappingCommand({ ttl: 'P366D' }))
      .isRefused('VALIDATION_FAILED', { field: 'ttl', requested: 'P366D', max_allowed: 'P365D' });
  });

  it('has its definitions as version 1', () => {
    expect(given(mapping, created).state()?.versions).toEqual([
      { version: 1, nodeDefinitions: [personNode], edgeDefinitions: [knowsEdge] },
    ]);
  });

  it('selects keys first, then properties, in its queries', () => {
    expect(nodeColumns(personNode)).toEqual(['id', 'name']);
    expect(edgeColumns(knowsEdge)).toEqual(['a', 'b', 'since']);
  });
});
