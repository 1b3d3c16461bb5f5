import { type TableName } from '../../api/table';

export interface TableChoosing {
  readonly chosen: TableName | null;
  readonly onChoose: (name: TableName) => void;
}

interface TableButtonProps extends TableChoosing {
  readonly name: TableName;
  readonly title: string;
  readonly note: string;
}

/** Selects a table. */
export const TableButton = ({ name, title, note, chosen, onChoose }: TableButtonProps) => {
  const { catalog, schema, table } = name;
  const isChosen = chosen?.catalog === catalog && chosen.schema === schema && chosen.table === table;
  return (
    <button type="button" aria-pressed={isChosen} onClick={() => onChoose({ catalog, schema, table })}>
      <bdi>{title}</bdi> <bdi className="dimmed">{note}</bdi>
    </button>
  );
};
