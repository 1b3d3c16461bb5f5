import * as fc from 'fast-check';
import { diffVersions, type EdgeDefinition, type NodeDefinition } from '../../../domain/mapping';
import { knowsEdge, personNode } from '../../support/domain-samples';

const version = (node_definitions: readonly NodeDefinition[], edge_definitions: readonly EdgeDefinition[] = []) => ({
  node_definitions,
  edge_definitions,
});
const node = (label: string, changes: Partial<NodeDefinition> = {}): NodeDefinition => ({
  ...personNode,
  label,
  ...changes,
});

describe('the difference between two versions', () => {
  it('lists added, removed and modified definitions, each by name', () => {
    const from = version([node('D'), node('C'), node('B'), node('A')]);
    const to = version([node('F'), node('D', { sql: 'SELECT 1' }), node('B', { sql: 'SELECT 2' }), node('E')]);
    expect(diffVersions(from, to).nodes.map(({ key, changeType }) => `${changeType} ${key}`)).toEqual([
      'added E',
      'added F',
      'removed A',
      'removed C',
      'modified B',
      'modified D',
    ]);
  });

  it('names the changed fields in order, with both definitions', () => {
    const changed = node('A', { sql: 'SELECT 1', primary_key: { name: 'id', type: 'STRING' }, properties: [] });
    expect(diffVersions(version([node('A')]), version([changed])).nodes).toEqual([
      {
        key: 'A',
        changeType: 'modified',
        fieldsChanged: ['primary_key', 'properties', 'sql'],
        from: node('A'),
        to: changed,
      },
    ]);
  });

  it('omits from for added definitions and to for removed ones', () => {
    expect(diffVersions(version([]), version([], [knowsEdge])).edges).toEqual([
      { key: 'KNOWS', changeType: 'added', from: null, to: knowsEdge },
    ]);
    expect(diffVersions(version([], [knowsEdge]), version([])).edges).toEqual([
      { key: 'KNOWS', changeType: 'removed', from: knowsEdge, to: null },
    ]);
  });

  it('the difference of edges includes their ends', () => {
    const turned = { ...knowsEdge, from_key: 'b', to_key: 'a', to_node: 'Robot' };
    const [change] = diffVersions(version([], [knowsEdge]), version([], [turned])).edges;
    expect(change?.fieldsChanged).toEqual(['from_key', 'to_key', 'to_node']);
  });

  it('is empty when only the order differs', () => {
    const properties = [
      { name: 'a', type: 'STRING' },
      { name: 'b', type: 'DATE' },
      { name: 'c', type: 'DATE' },
    ] as const;
    fc.assert(
      fc.property(fc.shuffledSubarray([...properties], { minLength: 3 }), fc.boolean(), (shuffled, swapped) => {
        const before = [node('A', { properties }), node('B')];
        const after = [node('A', { properties: shuffled }), node('B')];
        const diff = diffVersions(version(before), version(swapped ? after.reverse() : after));
        expect(diff).toEqual({ nodes: [], edges: [] });
      }),
    );
  });
});
