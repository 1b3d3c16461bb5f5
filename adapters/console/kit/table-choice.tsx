import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { Field } from './field';

interface TableChoiceProps {
  /** All tables by their full names. */
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** A choice of tables, with a search. */
export const TableChoice = ({ names, chosen, onChange }: TableChoiceProps) => {
  const [search, setSearch] = useState('');
  if (names.length === 0) return <NoTables />;
  return (
    <>
      <Field
        aria-label="Search tables"
        placeholder="Search tables"
        value={search}
        onChange={setSearch}
        my="sm"
        maw={360}
      />
      <div className="tables">
        {names
          .filter((name) => name.toLowerCase().includes(search.toLowerCase()))
          .map((name) => (
            <Checkbox
              key={name}
              label={name}
              checked={chosen.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...chosen, name] : chosen.filter((one) => one !== name))
              }
            />
          ))}
      </div>
    </>
  );
};

/** How to add tables to an empty warehouse. */
export const NoTables = () => (
  <Text>
    No tables are visible yet. With DuckDB, put files into the warehouse folder (by default{' '}
    <code>.rowgraph/warehouse</code>), such as <code>shop.duckdb</code> or <code>shop/main/people.parquet</code>. Then
    an admin runs <code>rowgraph catalog refresh</code>.
  </Text>
);
