import { Select } from '@mantine/core';

export type Kind = 'graphdb_a' | 'graphdb_b';

export const KINDS = [
  { value: 'graphdb_a', label: 'DuckDB' },
  { value: 'graphdb_b', label: 'FalkorDB' },
] as const;

/** The name of a kind. */
export const kindName = (kind: Kind): string => KINDS.find(({ value }) => value === kind)?.label ?? kind;

interface KindSelectProps {
  readonly value: Kind;
  readonly onChange: (kind: Kind) => void;
}

/** Selects the database of a graph. */
export const KindSelect = ({ value, onChange }: KindSelectProps) => (
  <Select
    label="Kind"
    data={KINDS}
    value={value}
    onChange={(kind) => onChange(kind ?? value)}
    allowDeselect={false}
    w={140}
  />
);
