import { Select } from '@mantine/core';
import { type Draft, type DraftEdge, type DraftNode, withoutNode } from '../../api/mapping-draft';
import { Branch } from '../../kit/branch';
import { DefinitionFields } from './definition-fields';
import { Field } from '../../kit/field';

interface DefinitionsProps {
  readonly draft: Draft;
  readonly onChange: (change: (draft: Draft) => Draft) => void;
}

const changed = <D extends { readonly id: number }>(all: readonly D[], id: number, part: Partial<D>): readonly D[] =>
  all.map((one) => (one.id === id ? { ...one, ...part } : one));

/** The definitions of a draft, collapsible. */
export const Definitions = ({ draft, onChange }: DefinitionsProps) => {
  const setNode = (id: number, part: Partial<DraftNode>): void =>
    onChange((before) => ({ ...before, nodes: changed(before.nodes, id, part) }));
  const setEdge = (id: number, part: Partial<DraftEdge>): void =>
    onChange((before) => ({ ...before, edges: changed(before.edges, id, part) }));
  const labels = draft.nodes.map(({ id, label }) => ({ value: String(id), label: label || 'no label' }));
  const labelOf = (id: number | null): string => labels.find(({ value }) => value === String(id))?.label ?? '?';
  return (
    <>
      {draft.nodes.map((node) => (
        <Branch key={node.id} title={<bdi>{node.label || 'New node'}</bdi>} startsOpen={node.sql === ''}>
          {() => (
            <DefinitionFields
              definition={node}
              name={node.label}
              onChange={(part) => setNode(node.id, part)}
              onRemove={() => onChange((before) => withoutNode(before, node.id))}
            >
              <Field
                label="Label"
                placeholder="Person"
                value={node.label}
                onChange={(value) => setNode(node.id, { label: value })}
              />
            </DefinitionFields>
          )}
        </Branch>
      ))}
      {draft.edges.map((edge) => (
        <Branch
          key={edge.id}
          title={<bdi>{`(${labelOf(edge.from)}) –[${edge.type || 'new edge'}]→ (${labelOf(edge.to)})`}</bdi>}
          startsOpen={edge.sql === ''}
        >
          {() => (
            <DefinitionFields
              definition={edge}
              name={edge.type}
              onChange={(part) => setEdge(edge.id, part)}
              onRemove={() =>
                onChange((before) => ({ ...before, edges: before.edges.filter(({ id }) => id !== edge.id) }))
              }
            >
              <Field
                label="Type"
                placeholder="KNOWS"
                value={edge.type}
                onChange={(value) => setEdge(edge.id, { type: value })}
              />
              {(['from', 'to'] as const).map((end) => (
                <Select
                  key={end}
                  label={end === 'from' ? 'From' : 'To'}
                  placeholder="Label"
                  data={labels}
                  value={edge[end] === null ? null : String(edge[end])}
                  onChange={(value) => setEdge(edge.id, { [end]: value === null ? null : Number(value) })}
                />
              ))}
            </DefinitionFields>
          )}
        </Branch>
      ))}
    </>
  );
};
