import { Select } from '@mantine/core';

export type Kind = 'graphdb_a' | 'graphdb_b';

interface KindSelectProps {
  readonly value: Kind;
  readonly onChange: (kind: Kind) => void;
}

/** Which database a graph is in. */
export const KindSelect = ({ value, onChange }: KindSelectProps) => (
  <Select
    label="Kind"
    data={[
      { value: 'graphdb_a', label: 'Kuzu' },
      { value: 'graphdb_b', label: 'FalkorDB' },
    ]}
    value={value}
    onChange={(kind) => onChange(kind === 'graphdb_b' ? kind : 'graphdb_a')}
    allowDeselect={false}
    w={140}
  />
);
