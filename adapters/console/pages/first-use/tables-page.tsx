import { Button, Checkbox, Group, Select, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { checkSql } from '../../api/check-sql';
import { requestRun, startMapping, useChange } from '../../api/graphs';
import { fullName, type GraphGuess, guessGraph, guessKey, type NodeGuess } from '../../api/guess-graph';
import { definitionsOf, EMPTY_DRAFT, withGuess } from '../../api/mapping-draft';
import { type Table, type TableName, useSampleRows, useTableNames, useTables } from '../../api/tables';
import { Field } from '../../kit/field';
import { type Kind, KindSelect } from '../../kit/kind-select';
import { SampleTable } from '../../kit/sample-table';
import { TableChoice } from '../../kit/table-choice';
import { Loaded, PageTitle, Problem, Section } from '../../kit/view';

/** From tables to a graph: select tables, correct the guess, start. */
export const TablesPage = () => {
  const names = useTableNames();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  return (
    <Stack gap="lg">
      <PageTitle>Use my tables</PageTitle>
      <Section title="1. Choose tables">
        <Loaded query={names}>
          {(all) => <TableChoice names={all.map(fullName)} chosen={chosen} onChange={setChosen} />}
        </Loaded>
        <p className="dimmed">
          To write the queries yourself, <Link to="/mappings/new">build a mapping</Link>.
        </p>
      </Section>
      {names.data !== undefined && chosen.length > 0 && (
        <Guess chosen={names.data.filter((name) => chosen.includes(fullName(name)))} />
      )}
    </Stack>
  );
};

const Guess = ({ chosen }: { readonly chosen: readonly TableName[] }) => {
  const tables = useTables(chosen);
  const navigate = useNavigate();
  const [keys, setKeys] = useState<Readonly<Record<string, string>>>({});
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('graphdb_a');
  const starting = useChange(startGuess);
  return (
    <Loaded query={tables}>
      {(found) => {
        const guessed = guessGraph(found, (table) => keys[fullName(table)] ?? guessKey(table));
        const { nodes } = guessed;
        const edges = guessed.edges.filter(({ id }) => !left.has(id));
        const title = name.trim() || nodes.map(({ label }) => label).join(', ') || 'My tables';
        const start = (): void =>
          starting.mutate(
            { name: title, guess: { nodes, edges }, kind },
            { onSuccess: (id) => void navigate({ to: '/graphs/$id', params: { id } }) },
          );
        return (
          <Section title="2. Check the graph">
            {nodes.length === 0 && (
              <Text my="sm">These tables only contain edges. Choose at least one table whose rows are nodes.</Text>
            )}
            <div className="guesses">
              {nodes.map((node) => (
                <GuessedNode
                  key={fullName(node.table)}
                  node={node}
                  onKey={(key) => setKeys({ ...keys, [fullName(node.table)]: key })}
                />
              ))}
            </div>
            {guessed.edges.length === 0 && nodes.length > 0 && (
              <Text my="sm">No edges were detected by column names and types. The graph has nodes only.</Text>
            )}
            <GuessedEdges edges={guessed.edges} left={left} onChange={setLeft} />
            {starting.error !== null && <Problem error={starting.error} title="The graph could not be started" />}
            <Group align="end">
              <Field label="Name" placeholder={title} value={name} onChange={setName} />
              <KindSelect value={kind} onChange={setKind} />
              <Button
                onClick={start}
                loading={starting.isPending}
                disabled={nodes.length === 0 || tables.isPlaceholderData}
              >
                Start the graph
              </Button>
            </Group>
          </Section>
        );
      }}
    </Loaded>
  );
};

interface GuessedNodeProps {
  readonly node: NodeGuess;
  readonly onKey: (key: string) => void;
}

const GuessedNode = ({ node: { table, label, key }, onKey }: GuessedNodeProps) => (
  <div className="guess">
    <strong>{label}</strong>
    <bdi className="dimmed">{fullName(table)}</bdi>
    <Select
      label="Key"
      size="xs"
      data={table.columns.map((column) => column.name)}
      value={key}
      allowDeselect={false}
      onChange={(value) => value !== null && onKey(value)}
    />
    <Rows table={table} />
  </div>
);

interface GuessedEdgesProps {
  readonly edges: GraphGuess['edges'];
  /** Ids of the edges to omit. */
  readonly left: ReadonlySet<string>;
  readonly onChange: (left: ReadonlySet<string>) => void;
}

const GuessedEdges = ({ edges, left, onChange }: GuessedEdgesProps) => (
  <Stack gap={6} my="md">
    {edges.map(({ id, type, fromLabel, toLabel, fromKey, toKey, table }) => (
      <Checkbox
        key={id}
        checked={!left.has(id)}
        onChange={({ currentTarget: { checked } }) =>
          onChange(new Set(checked ? [...left].filter((one) => one !== id) : [...left, id]))
        }
        label={`(${fromLabel}) –[${type}]→ (${toLabel})`}
        description={`${fullName(table)}: ${fromKey} → ${toKey}`}
      />
    ))}
  </Stack>
);

const Rows = ({ table }: { readonly table: Table }) => (
  <Loaded query={useSampleRows(table, 3)}>
    {(rows) => <SampleTable label={`Rows of ${table.table}`} columns={table.columns} rows={rows} />}
  </Loaded>
);

interface Start {
  readonly name: string;
  readonly guess: GraphGuess;
  readonly kind: Kind;
}

const startGuess = async (api: Parameters<typeof startMapping>[0], { name, guess, kind }: Start): Promise<number> => {
  const definitions = await definitionsOf(withGuess(EMPTY_DRAFT, guess), (sql) => checkSql(api, sql));
  const id = await startMapping(api, { name, ...definitions }, kind);
  const hasEdges = guess.edges.length > 0;
  requestRun(id, hasEdges ? 'MATCH (a)-[r]->(b) RETURN a, r, b LIMIT 300' : 'MATCH (n) RETURN n LIMIT 300');
  return id;
};
