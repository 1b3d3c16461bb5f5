import { Button, Group, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { fullName } from '../../api/guess-graph';
import { type TableName } from '../../api/table';
import { useSampleRows, useTables } from '../../api/tables';
import { counted } from '../../kit/format';
import { SampleTable } from '../../kit/sample-table';
import { Loaded } from '../../kit/view';

const SAMPLED = 10;

/** The columns of a table with their types, and sample rows. */
export const TablePanel = ({ name }: { readonly name: TableName }) => {
  const tables = useTables([name]);
  const rows = useSampleRows(name, SAMPLED);
  const navigate = useNavigate();
  const build = (): void => void navigate({ to: '/mappings/new', search: { table: fullName(name) } });
  return (
    <section className="panel" aria-labelledby="table">
      <Group justify="space-between" align="start" mb="sm">
        <Title order={2} size="h3" id="table">
          <bdi>{fullName(name)}</bdi>
        </Title>
        <Button onClick={build}>Build a mapping</Button>
      </Group>
      <Loaded query={tables}>
        {([table]) => (
          <>
            <h3 className="small-title">{counted(table?.columns.length ?? 0, 'column')}</h3>
            <ul className="columns">
              {table?.columns.map(({ name: column, type, isNullable }) => (
                <li key={column}>
                  <bdi>{column}</bdi> <span className="dimmed">{isNullable ? type : `${type}, not null`}</span>
                </li>
              ))}
            </ul>
            <h3 className="small-title">Sample rows</h3>
            <Loaded query={rows}>
              {(found) => <SampleTable label="Sample rows" columns={table?.columns ?? []} rows={found} />}
            </Loaded>
          </>
        )}
      </Loaded>
    </section>
  );
};
