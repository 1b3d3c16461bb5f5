import { type ResultOf } from '../../client';
import { type publicEndpoints } from '../../http/public/public-endpoints';
import { cellText } from '../cell-text';

type Diff = ResultOf<typeof publicEndpoints.diffMappingVersions>;

const SIGNS = { added: '+', removed: '-', modified: '~' } as const;

/** A line for each changed definition, followed by its old and new fields. */
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

type Tree = ResultOf<typeof publicEndpoints.getMappingTree>;

/** A mapping with its versions, their snapshots and instances, each level indented. */
export const treeText = ({ id, name, owner_username, versions, totals }: Tree): string =>
  [
    `${id} ${name} (of ${owner_username})`,
    ...branches(versions, ({ version, change_description, snapshots }) => [
      `version ${version}${change_description === null ? '' : `: ${change_description}`}`,
      ...branches(snapshots, (snapshot) => [
        `snapshot ${snapshot.id} ${snapshot.status}`,
        ...branches(snapshot.instances, (instance) => [`instance ${instance.id} ${instance.name} ${instance.status}`]),
      ]),
    ]),
    `${count(totals.version_count, 'version')}, ${count(totals.snapshot_count, 'snapshot')}, ${count(totals.instance_count, 'instance')}`,
  ].join('\n');

const branches = <T>(items: readonly T[], lines: (item: T) => readonly string[]): readonly string[] =>
  items.flatMap((item, index) => {
    const isLast = index === items.length - 1;
    return lines(item).map((line, row) => (row === 0 ? (isLast ? '└─ ' : '├─ ') : isLast ? '   ' : '│  ') + line);
  });

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;
