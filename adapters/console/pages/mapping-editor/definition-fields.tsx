import { type ReactNode } from 'react';
import { Button, Checkbox, Select } from '@mantine/core';
import { useSqlCheck } from '../../api/check-sql';
import { columnsOf, type DraftEdge, type DraftNode, isProperty, keysOf } from '../../api/mapping-draft';
import { SqlField } from './sql-field';

type Part = Partial<DraftNode & DraftEdge>;

interface DefinitionFieldsProps {
  readonly definition: DraftNode | DraftEdge;
  readonly name: string;
  readonly onChange: (part: Part) => void;
  readonly onRemove: () => void;
  /** The fields that nodes and edges do not share. */
  readonly children: ReactNode;
}

type KeyField = 'key' | 'fromKey' | 'toKey';
const KEYS: Readonly<Record<KeyField, string>> = { key: 'Key', fromKey: 'From key', toKey: 'To key' };

/** The query of a definition, and the choice of its keys and properties. */
export const DefinitionFields = ({ definition, name, onChange, onRemove, children }: DefinitionFieldsProps) => {
  const check = useSqlCheck(definition.sql);
  const columns = columnsOf(definition, check.query.data?.columns);
  const keys = keysOf(definition, columns);
  const keyFields: readonly KeyField[] = 'key' in definition ? ['key'] : ['fromKey', 'toKey'];
  const names = [...new Set([...columns.map((column) => column.name), ...keys])].filter((one) => one !== '');
  const properties = columns.filter((column) => !keys.includes(column.name));
  const choose = (property: string, on: boolean): void => {
    const before = properties.map((one) => one.name).filter((one) => isProperty(definition, one));
    onChange({ chosen: on ? [...before, property] : before.filter((one) => one !== property) });
  };
  return (
    <div className="definition">
      <div className="fields">
        {children}
        {keyFields.map((field, index) => (
          <Select
            key={field}
            label={KEYS[field]}
            placeholder="Column"
            data={names}
            value={keys[index] || null}
            onChange={(value) => onChange({ [field]: value ?? '' })}
          />
        ))}
      </div>
      <SqlField name={name} sql={definition.sql} check={check} onChange={(sql) => onChange({ sql })} />
      <fieldset className="tables">
        <legend>Properties</legend>
        {properties.length === 0 && <span className="dimmed">No other columns.</span>}
        {properties.map((column) => (
          <Checkbox
            key={column.name}
            label={`${column.name} ${column.type}`}
            checked={isProperty(definition, column.name)}
            onChange={({ currentTarget }) => choose(column.name, currentTarget.checked)}
          />
        ))}
      </fieldset>
      <Button size="compact-sm" color="red" variant="light" onClick={onRemove}>
        Remove {name || 'it'}
      </Button>
    </div>
  );
};
