import { useState } from 'react';
import { Button, Checkbox, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { startMapping, useChange } from '../../api/graphs';
import { useSession } from '../../api/session-context';
import { type TableName } from '../../api/table';
import { useTableNames, useTables } from '../../api/tables';
import { KindSelect, type Kind } from '../../kit/kind-select';
import { requestRun } from '../../kit/requested-run';
import { Loaded, Problem } from '../../kit/view';
import { SampleRows } from './sample-rows';
import { definitionsOf } from './definitions-of';
import { fullName, guessGraph } from './guess-graph';

/** From tables to a graph: choose them, correct what is guessed, start. */
export const TablesPage = () => {
  const names = useTableNames();
  const [chosen, setChosen] = useState<readonly TableName[]>([]);
  const [search, setSearch] = useState('');
  const toggle = (name: TableName): void =>
    setChosen((before) => {
      const rest = before.filter((one) => fullName(one) !== fullName(name));
      return rest.length === before.length ? [...before, name] : rest;
    });
  return (
    <Stack gap="lg">
      <Title order={1} size="h2">
        Use my tables
      </Title>
      <section className="panel" aria-labelledby="step-tables">
        <Title order={2} size="h4" id="step-tables">
          1. Choose tables
        </Title>
        <Loaded query={names}>
          {(all) =>
            all.length === 0 ? (
              <Text>
                The warehouse has no tables yet. Put a DuckDB file at <code>.rowgraph/warehouse/shop.duckdb</code>, or
                Parquet files at <code>.rowgraph/warehouse/shop/main/people.parquet</code>, and run{' '}
                <code>npx rowgraph catalog refresh</code>.
              </Text>
            ) : (
              <>
                <TextInput
                  aria-label="Search tables"
                  placeholder="Search tables"
                  value={search}
                  onChange={({ currentTarget }) => setSearch(currentTarget.value)}
                  my="sm"
                  maw={360}
                />
                <div className="tables">
                  {all
                    .filter((name) => fullName(name).toLowerCase().includes(search.toLowerCase()))
                    .map((name) => (
                      <Checkbox
                        key={fullName(name)}
                        label={fullName(name)}
                        checked={chosen.some((one) => fullName(one) === fullName(name))}
                        onChange={() => toggle(name)}
                      />
                    ))}
                </div>
              </>
            )
          }
        </Loaded>
      </section>
      {chosen.length > 0 && <Guess chosen={chosen} />}
    </Stack>
  );
};

const Guess = ({ chosen }: { readonly chosen: readonly TableName[] }) => {
  const tables = useTables(chosen);
  const { api } = useSession();
  const navigate = useNavigate();
  const [keys, setKeys] = useState<Readonly<Record<string, string>>>({});
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('graphdb_a');
  const starting = useChange(startGuess);
  return (
    <Loaded query={tables}>
      {(found) => {
        const guessed = guessGraph(found);
        const nodes = guessed.nodes.map((node) => ({ ...node, key: keys[fullName(node.table)] ?? node.key }));
        const edges = guessed.edges.filter(({ id }) => !left.has(id));
        const title = name.trim() || nodes.map(({ label }) => label).join(', ') || 'My tables';
        const start = (): void =>
          starting.mutate(
            { definitions: () => definitionsOf(api, title, { nodes, edges }), kind },
            {
              onSuccess: (id) => {
                requestRun(
                  id,
                  edges.length > 0 ? 'MATCH (a)-[r]->(b) RETURN a, r, b LIMIT 300' : 'MATCH (n) RETURN n LIMIT 300',
                );
                void navigate({ to: '/graphs/$id', params: { id: String(id) } });
              },
            },
          );
        return (
          <section className="panel" aria-labelledby="step-graph">
            <Title order={2} size="h4" id="step-graph">
              2. Check the graph
            </Title>
            {nodes.length === 0 && (
              <Text my="sm">These tables only connect others: choose a table whose rows are nodes.</Text>
            )}
            <div className="guesses">
              {nodes.map(({ table, label, key }) => (
                <div key={fullName(table)} className="guess">
                  <strong>{label}</strong>
                  <bdi className="dimmed">{fullName(table)}</bdi>
                  <Select
                    label="Key"
                    size="xs"
                    data={table.columns.map((column) => column.name)}
                    value={key}
                    allowDeselect={false}
                    onChange={(value) => value !== null && setKeys({ ...keys, [fullName(table)]: value })}
                  />
                  <SampleRows table={table} />
                </div>
              ))}
            </div>
            {guessed.edges.length === 0 && nodes.length > 0 && (
              <Text my="sm">No edges were found by names and types. The graph has nodes only.</Text>
            )}
            <Stack gap={6} my="md">
              {guessed.edges.map(({ id, type, fromLabel, toLabel, fromKey, toKey, table }) => (
                <Checkbox
                  key={id}
                  checked={!left.has(id)}
                  onChange={({ currentTarget }) => {
                    const next = new Set(left);
                    if (currentTarget.checked) next.delete(id);
                    else next.add(id);
                    setLeft(next);
                  }}
                  label={`(${fromLabel}) –[${type}]→ (${toLabel})`}
                  description={`${fullName(table)}: ${fromKey} → ${toKey}`}
                />
              ))}
            </Stack>
            {starting.error !== null && <Problem error={starting.error} title="The graph could not be started" />}
            <Group align="end">
              <TextInput
                label="Name"
                placeholder={title}
                value={name}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
              />
              <KindSelect value={kind} onChange={setKind} />
              <Button onClick={start} loading={starting.isPending} disabled={nodes.length === 0}>
                Start the graph
              </Button>
            </Group>
          </section>
        );
      }}
    </Loaded>
  );
};

interface Start {
  readonly definitions: () => ReturnType<typeof definitionsOf>;
  readonly kind: Kind;
}

const startGuess = async (api: Parameters<typeof startMapping>[0], { definitions, kind }: Start): Promise<number> =>
  startMapping(api, await definitions(), kind);
