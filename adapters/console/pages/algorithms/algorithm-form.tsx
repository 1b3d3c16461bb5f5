import { useState } from 'react';
import { Alert, Button, Checkbox, MultiSelect, NumberInput, Select, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Algorithm, type AlgorithmField, requestOf } from '../../api/algorithm';
import { useFields, useRunControl } from '../../api/algorithms';
import { type Address, useSchema } from '../../api/queries';
import { Field } from '../../kit/field';
import { Section } from '../../kit/section';
import { Loaded, Problem } from '../../kit/view';

interface AlgorithmFormProps {
  readonly algorithm: Algorithm;
  readonly address: Address;
  readonly onStarted: (runId: string) => void;
}

/** The form of an algorithm, from its signature. */
export const AlgorithmForm = ({ algorithm, address, onStarted }: AlgorithmFormProps) => {
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
    onSuccess: async ({ id }) => {
      await cache.invalidateQueries({ queryKey: ['runs', address.url] });
      onStarted(id);
    },
  });
  const labels = (schema?.node_tables ?? []).map(({ label }) => label);
  const types = [...new Set((schema?.edge_tables ?? []).map(({ type }) => type))];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        starting.mutate();
      }}
    >
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
      {starting.data?.warnings.map((warning) => (
        <Alert key={warning} color="yellow" variant="light" mb="xs" title="Warning">
          <bdi>{warning}</bdi>
        </Alert>
      ))}
      <Button type="submit" loading={starting.isPending}>
        Run {algorithm.name}
      </Button>
    </form>
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
