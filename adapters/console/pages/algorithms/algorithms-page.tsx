import { Button, Checkbox, MultiSelect, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type Algorithm, type AlgorithmField, requestOf } from '../../api/algorithm';
import { useAlgorithms, useFields, useRunControl } from '../../api/algorithms';
import { type GraphDetail, useGraph } from '../../api/graphs';
import { type Address, useSchema } from '../../api/queries';
import { Field, Form } from '../../kit/field';
import { ResourceTabs } from '../../kit/resource-tabs';
import { Loaded, PageTitle, Problem, Section, Warnings } from '../../kit/view';
import { Runs } from './runs';

/** The algorithms of a graph, and their runs. */
export const AlgorithmsPage = () => {
  const { id } = useParams({ from: '/graphs/$id/algorithms' });
  const graph = useGraph(id);
  return (
    <Loaded query={graph} heading={`Algorithms of graph ${id}`}>
      {(found) => (
        <>
          <PageTitle>
            <bdi>{found.name}</bdi>
          </PageTitle>
          <ResourceTabs of="graph" id={id} />
          {found.status === 'running' && found.instance_url !== null ? (
            <Algorithms graph={found} address={{ kind: found.wrapper_type, url: found.instance_url }} />
          ) : (
            <Text>Algorithms require a running graph; the graph is {found.status}.</Text>
          )}
        </>
      )}
    </Loaded>
  );
};

const Algorithms = ({ graph, address }: { readonly graph: GraphDetail; readonly address: Address }) => {
  const algorithms = useAlgorithms(address);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Algorithm | null>(null);
  const [runId, setRunId] = useState<string | null>(null);
  const wanted = search.toLowerCase();
  return (
    <div className="workbench">
      <aside className="schema" aria-label="Algorithms">
        <Field
          size="xs"
          aria-label="Search algorithms"
          placeholder="Search"
          mb="sm"
          value={search}
          onChange={setSearch}
        />
        <Loaded query={algorithms}>
          {(all) => (
            <AlgorithmList
              algorithms={all.filter(({ name, description }) =>
                `${name} ${description}`.toLowerCase().includes(wanted),
              )}
              chosen={chosen}
              onChoose={setChosen}
            />
          )}
        </Loaded>
      </aside>
      <Stack miw={0}>
        {chosen === null ? (
          <p className="panel dimmed">Choose an algorithm. One algorithm runs at a time; queries continue meanwhile.</p>
        ) : (
          <AlgorithmForm
            key={`${chosen.family} ${chosen.name}`}
            algorithm={chosen}
            address={address}
            onStarted={setRunId}
          />
        )}
        <Runs graph={graph} address={address} runId={runId} onChoose={setRunId} />
      </Stack>
    </div>
  );
};

interface AlgorithmListProps {
  readonly algorithms: readonly Algorithm[];
  readonly chosen: Algorithm | null;
  readonly onChoose: (algorithm: Algorithm) => void;
}

/** Algorithms by category. */
const AlgorithmList = ({ algorithms, chosen, onChoose }: AlgorithmListProps) => (
  <>
    {algorithms.length === 0 && <p className="dimmed">No algorithms found.</p>}
    {[...new Set(algorithms.map(({ category }) => category))].map((category) => (
      <section key={category} aria-label={category}>
        <h2>{category}</h2>
        {algorithms
          .filter((one) => one.category === category)
          .map((one) => (
            <button
              key={`${one.family} ${one.name}`}
              type="button"
              aria-pressed={chosen?.name === one.name && chosen.family === one.family}
              onClick={() => onChoose(one)}
            >
              <span>{one.name}</span>
              {one.family === 'library' && <span className="dimmed">library</span>}
            </button>
          ))}
      </section>
    ))}
  </>
);

interface AlgorithmFormProps {
  readonly algorithm: Algorithm;
  readonly address: Address;
  readonly onStarted: (runId: string) => void;
}

/** The form of an algorithm, from its signature. */
const AlgorithmForm = ({ algorithm, address, onStarted }: AlgorithmFormProps) => {
  const fields = useFields(address, algorithm);
  return (
    <Section title={algorithm.name}>
      <Text size="sm" c="dimmed" mb="sm">
        {algorithm.description}
      </Text>
      <Loaded query={fields}>{(found) => <Fields {...{ algorithm, address, onStarted }} fields={found} />}</Loaded>
    </Section>
  );
};

const Fields = ({
  algorithm,
  address,
  fields,
  onStarted,
}: AlgorithmFormProps & { readonly fields: readonly AlgorithmField[] }) => {
  const { data: schema } = useSchema(address);
  const { start } = useRunControl(address);
  const cache = useQueryClient();
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({});
  const starting = useMutation({
    mutationFn: async () => start(algorithm, requestOf(fields, values)),
    onSuccess: async ({ execution_id: id }) => {
      await cache.invalidateQueries({ queryKey: ['runs', address.url] });
      onStarted(id);
    },
  });
  const labels = (schema?.node_tables ?? []).map(({ label }) => label);
  const types = [...new Set((schema?.edge_tables ?? []).map(({ type }) => type))];
  return (
    <Form onSubmit={starting.mutate}>
      <div className="fields">
        {fields.map((field) => (
          <Argument
            key={field.name}
            field={field}
            value={values[field.name]}
            choices={field.type === 'edge types' ? types : labels}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
      </div>
      {starting.error !== null && <Problem error={starting.error} title="Not started" />}
      <Warnings texts={starting.data?.warnings ?? []} />
      <Button type="submit" loading={starting.isPending}>
        Run {algorithm.name}
      </Button>
    </Form>
  );
};

interface ArgumentProps {
  readonly field: AlgorithmField;
  readonly value: unknown;
  readonly choices: readonly string[];
  readonly onChange: (value: unknown) => void;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const Argument = ({ field, value, choices, onChange }: ArgumentProps) => {
  const { name, type, isRequired, fallback, description } = field;
  const placeholder = fallback === undefined || fallback === null ? undefined : JSON.stringify(fallback);
  const common = { label: name, description, required: isRequired, placeholder };
  switch (type) {
    case 'label':
      return (
        <Select
          {...common}
          data={[...choices]}
          value={textOf(value) || null}
          onChange={onChange}
          clearable={!isRequired}
        />
      );
    case 'labels':
    case 'edge types':
      return <MultiSelect {...common} data={[...choices]} value={listOf(value)} onChange={onChange} clearable />;
    case 'boolean':
      return (
        <Checkbox
          label={name}
          description={description}
          checked={(value ?? fallback) === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'integer':
    case 'number':
      return <NumberInput {...common} value={textOf(value)} onChange={onChange} allowDecimal={type === 'number'} />;
    case 'text':
    case 'json':
      return <Field {...common} value={textOf(value)} onChange={onChange} />;
  }
};
