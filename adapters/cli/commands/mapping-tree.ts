import { type publicEndpoints } from '../../http/public/public-endpoints';
import { type ResultOf } from '../../client';

type Tree = ResultOf<typeof publicEndpoints.getMappingTree>;

/** A mapping, its versions, their snapshots and their instances, each level further in. */
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
