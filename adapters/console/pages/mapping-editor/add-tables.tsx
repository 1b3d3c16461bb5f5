import { useState } from 'react';
import { Button } from '@mantine/core';
import { fullName, guessGraph } from '../../api/guess-graph';
import { type Draft, withGuess } from '../../api/mapping-draft';
import { useTableNames, useTables } from '../../api/tables';
import { TableChoice } from '../../kit/table-choice';
import { Section } from '../../kit/section';
import { Loaded, Problem } from '../../kit/view';

interface AddTablesProps {
  readonly draft: Draft;
  readonly table: string | undefined;
  readonly onChange: (draft: Draft) => void;
}

/** Adds the nodes and edges guessed from tables. */
export const AddTables = ({ draft, table, onChange }: AddTablesProps) => {
  const names = useTableNames();
  const [chosen, setChosen] = useState<readonly string[]>(table === undefined ? [] : [table]);
  const tables = useTables((names.data ?? []).filter((name) => chosen.includes(fullName(name))));
  return (
    <Section title="Tables">
      <Loaded query={names}>
        {(all) => (
          <>
            {table !== undefined && !all.some((name) => fullName(name) === table) && (
              <p role="status">
                Table <bdi>{table}</bdi> does not exist, or you may not read it. Choose other tables.
              </p>
            )}
            <TableChoice names={all.map(fullName)} chosen={chosen} onChange={setChosen} />
          </>
        )}
      </Loaded>
      {tables.error !== null && <Problem error={tables.error} title="The columns cannot be read" />}
      <Button
        mt="sm"
        disabled={chosen.length === 0 || tables.data === undefined || tables.isPlaceholderData}
        onClick={() => onChange(withGuess(draft, guessGraph(tables.data ?? [])))}
      >
        Add their nodes and edges
      </Button>
    </Section>
  );
};
