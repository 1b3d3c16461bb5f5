import { Box, Button, Checkbox, Loader, Select } from '@mantine/core';
import { lazyRouteComponent } from '@tanstack/react-router';
import { type ReactNode, Suspense, useMemo } from 'react';
import { useSqlCheck } from '../../api/check-sql';
import { placed } from '../../api/failure';
import { fullName } from '../../api/guess-graph';
import {
  columnsOf,
  type Draft,
  type DraftEdge,
  type DraftNode,
  isProperty,
  keysOf,
  withoutNode,
} from '../../api/mapping-draft';
import { useTableNames, useTables } from '../../api/tables';
import { Field } from '../../kit/field';
import { Branch, Problem } from '../../kit/view';

interface DefinitionsProps {
  readonly draft: Draft;
  readonly onChange: (change: (draft: Draft) => Draft) => void;
}

const changed = <D extends { readonly id: number }>(all: readonly D[], id: number, part: Partial<D>): readonly D[] =>
  all.map((one) => (one.id === id ? { ...one, ...part } : one));

/** The definitions of a draft, collapsible. */
export const Definitions = ({ draft, onChange }: DefinitionsProps) => {
  const setNode = (id: number, part: Partial<DraftNode>): void =>
    onChange((before) => ({ ...before, nodes: changed(before.nodes, id, part) }));
  const setEdge = (id: number, part: Partial<DraftEdge>): void =>
    onChange((before) => ({ ...before, edges: changed(before.edges, id, part) }));
  const labels = draft.nodes.map(({ id, label }) => ({ value: String(id), label: label || 'no label' }));
  const labelOf = (id: number | null): string => labels.find(({ value }) => value === String(id))?.label ?? '?';
  return (
    <>
      {draft.nodes.map((node) => (
        <Branch key={node.id} title={<bdi>{node.label || 'New node'}</bdi>} startsOpen={node.sql === ''}>
          {() => (
            <DefinitionFields
              definition={node}
              name={node.label}
              onChange={(part) => setNode(node.id, part)}
              onRemove={() => onChange((before) => withoutNode(before, node.id))}
            >
              <Field
                label="Label"
                placeholder="Person"
                value={node.label}
                onChange={(value) => setNode(node.id, { label: value })}
              />
            </DefinitionFields>
          )}
        </Branch>
      ))}
      {draft.edges.map((edge) => (
        <Branch
          key={edge.id}
          title={<bdi>{`(${labelOf(edge.from)}) –[${edge.type || 'new edge'}]→ (${labelOf(edge.to)})`}</bdi>}
          startsOpen={edge.sql === ''}
        >
          {() => (
            <DefinitionFields
              definition={edge}
              name={edge.type}
              onChange={(part) => setEdge(edge.id, part)}
              onRemove={() =>
                onChange((before) => ({ ...before, edges: before.edges.filter(({ id }) => id !== edge.id) }))
              }
            >
              <Field
                label="Type"
                placeholder="KNOWS"
                value={edge.type}
                onChange={(value) => setEdge(edge.id, { type: value })}
              />
              <EndSelect label="From" labels={labels} id={edge.from} onChange={(from) => setEdge(edge.id, { from })} />
              <EndSelect label="To" labels={labels} id={edge.to} onChange={(to) => setEdge(edge.id, { to })} />
            </DefinitionFields>
          )}
        </Branch>
      ))}
    </>
  );
};

interface EndSelectProps {
  readonly label: string;
  readonly labels: readonly { readonly value: string; readonly label: string }[];
  /** The id of a node of the draft. */
  readonly id: number | null;
  readonly onChange: (id: number | null) => void;
}

/** An end of an edge. */
const EndSelect = ({ label, labels, id, onChange }: EndSelectProps) => (
  <Select
    label={label}
    placeholder="Label"
    data={labels}
    value={id === null ? null : String(id)}
    onChange={(value) => onChange(value === null ? null : Number(value))}
  />
);

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
const DefinitionFields = ({ definition, name, onChange, onRemove, children }: DefinitionFieldsProps) => {
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
    <Box pb={12}>
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
    </Box>
  );
};

const LazyCodeEditor = lazyRouteComponent(() => import('../../language/code-editor'), 'CodeEditor');

interface SqlFieldProps {
  readonly name: string;
  readonly sql: string;
  readonly check: ReturnType<typeof useSqlCheck>;
  readonly onChange: (sql: string) => void;
}

/** Maximum number of tables in a query whose columns are proposed. */
const MOST_TABLES = 12;

/** The editor of a query, with the result of the query engine's check. */
const SqlField = ({ name, sql, check: { query, isCurrent }, onChange }: SqlFieldProps) => {
  const language = useSql(sql);
  const { problem = null, warnings = [], columns = [] } = (isCurrent && query.data) || {};
  return (
    <div>
      <Suspense fallback={<Loader size="sm" role="status" aria-label="Loading the editor" />}>
        <LazyCodeEditor
          text={sql}
          language={language}
          label={`SQL of ${name || 'the definition'}`}
          hint="SELECT id, name FROM catalog.schema.table"
          errorPosition={problem?.place ?? null}
          onChange={onChange}
        />
      </Suspense>
      <div className="checked" role="status">
        {sql.trim() !== '' && !isCurrent && <span className="dimmed">Checking …</span>}
        {problem !== null && <bdi className="reason">{placed(problem.message, problem.place)}</bdi>}
        {columns.length > 0 && <span className="dimmed">Valid: {columns.map((column) => column.name).join(', ')}</span>}
        {warnings.map((warning) => (
          <bdi key={warning}>{warning}</bdi>
        ))}
      </div>
      {isCurrent && query.error !== null && <Problem error={query.error} title="The query cannot be checked" />}
    </div>
  );
};

/** SQL with all tables, and the columns of those in the query. */
const useSql = (sql: string) => {
  const { data: names } = useTableNames();
  const text = sql.toLowerCase();
  const named = (names ?? []).filter(({ table }) => text.includes(table.toLowerCase())).slice(0, MOST_TABLES);
  const { data: tables } = useTables(named);
  return useMemo(() => {
    const columnsOf = (full: string): readonly string[] =>
      tables?.find((table) => fullName(table) === full)?.columns.map((column) => column.name) ?? [];
    const known = (names ?? []).map((one) => ({ ...one, fullName: fullName(one), columns: columnsOf(fullName(one)) }));
    return { name: 'sql' as const, tables: known };
  }, [names, tables]);
};
