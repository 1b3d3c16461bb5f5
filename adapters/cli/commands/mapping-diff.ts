import { type publicEndpoints } from '../../http/public/public-endpoints';
import { type ResultOf } from '../../client';
import { cellText } from '../cell-text';

type Diff = ResultOf<typeof publicEndpoints.diffMappingVersions>;

const SIGNS = { added: '+', removed: '-', modified: '~' } as const;

/** A line for each definition that changed, below it what it was and what it is. */
export const diffText = ({ mapping_id, from_version, to_version, changes }: Diff): string => {
  const nodes = changes.nodes.flatMap((change) => changeLines(`node ${change.label}`, change));
  const edges = changes.edges.flatMap((change) => changeLines(`edge ${change.type}`, change));
  const title = `Mapping ${mapping_id}, version ${from_version} to ${to_version}`;
  return nodes.length + edges.length === 0 ? `${title}: the same` : [title, ...nodes, ...edges].join('\n');
};

interface Change {
  readonly change_type: keyof typeof SIGNS;
  readonly fields_changed?: readonly string[];
  readonly from: object | null;
  readonly to: object | null;
}

const changeLines = (name: string, { change_type, fields_changed = [], from, to }: Change): readonly string[] => [
  `${SIGNS[change_type]} ${name}`,
  ...fields_changed.flatMap((field) => [
    `    - ${field}: ${fieldText(from, field)}`,
    `    + ${field}: ${fieldText(to, field)}`,
  ]),
];

const fieldText = (definition: object | null, field: string): string => {
  const value: unknown =
    definition === null ? undefined : Object.entries(definition).find(([key]) => key === field)?.[1];
  return Array.isArray(value) ? value.map((one) => cellText(one)).join(', ') : cellText(value);
};
