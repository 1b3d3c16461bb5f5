import { Button, Group, Loader, Stack, Textarea } from '@mantine/core';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError, placed } from '../../api/failure';
import { takeRequestedRun } from '../../api/graphs';
import { type Address, LONGEST_MS, useLanguage, useRunQuery, useSchema } from '../../api/queries';
import { useSession } from '../../api/session';
import { count, duration } from '../../kit/format';
import { Branch, Loaded, Problem } from '../../kit/view';
import { type Vocabulary } from '../../language/cypher';
import { ExportMenu } from './export-menu';
import { readParameters } from './read-parameters';
import { Results } from './results';
import { SavedQueries } from './saved-queries';
import { useDraft } from './use-draft';
import { useRun } from './use-run';

const LazyCodeEditor = lazyRouteComponent(() => import('../../language/code-editor'), 'CodeEditor');

interface WorkbenchProps {
  readonly instanceId: number;
  readonly mappingId: number;
  readonly address: Address;
}

/** The editor of queries, and their results. */
export const Workbench = ({ instanceId, mappingId, address }: WorkbenchProps) => {
  const { draft: text, parameters, history, change } = useDraft(mappingId);
  const schema = useSchema(address);
  const language = useLanguage(address);
  const runQuery = useRunQuery(address);
  const { run, cancel, state } = useRun(`${useSession().username} ${address.url}`, runQuery);
  const [exportProblem, setExportProblem] = useState<Error | null>(null);
  const start = (cypher = text): void => {
    change({ draft: cypher }, true);
    run(() => ({ query: cypher, parameters: readParameters(parameters), timeout_ms: LONGEST_MS }));
  };
  useRequestedRun(instanceId, start);
  const cypher = useCypher(schema.data, language.data);
  const errorPosition = state.status === 'failed' && state.error instanceof ApiError ? state.error.place : null;
  const pick = (draft: string, itsParameters = '{}'): void =>
    change({ draft, parameters: itsParameters === '{}' ? parameters : itsParameters });
  return (
    <div className="workbench">
      <SchemaList schema={schema} onPick={pick} />
      <Stack miw={0}>
        <div className="panel query-panel">
          <Suspense fallback={<Loader size="sm" role="status" aria-label="Loading the editor" />}>
            <LazyCodeEditor
              text={text}
              language={cypher}
              label="Cypher query"
              hint="MATCH (n) RETURN n LIMIT 25"
              errorPosition={errorPosition}
              onChange={(draft) => change({ draft })}
              onRun={start}
            />
          </Suspense>
          <Group gap="xs" mt="sm">
            <RunButton isRunning={state.status === 'running'} text={text} onRun={start} onCancel={cancel} />
            <SavedQueries mappingId={mappingId} history={history} text={text} parameters={parameters} onPick={pick} />
            <ExportMenu
              address={address}
              query={() => ({ query: text, parameters: readParameters(parameters) })}
              onProblem={setExportProblem}
            />
            <span className="dimmed">
              <span role="status">{(state.status === 'running' || state.status === 'cancelled') && state.status}</span>
              {state.status === 'running' && <span role="timer"> for {duration(state.elapsedMs)}</span>}
            </span>
          </Group>
          <Parameters value={parameters} onChange={(next) => change({ parameters: next })} />
        </div>
        {exportProblem !== null && <Problem error={exportProblem} title="Not exported" />}
        {state.status === 'failed' && <Problem error={state.error} title={placed('The query failed', errorPosition)} />}
        {state.status === 'done' && (
          <Results answer={state.answer} address={address} mappingId={mappingId} schema={schema.data} />
        )}
      </Stack>
    </div>
  );
};

/** Runs the query that a click on another page requested, once. */
const useRequestedRun = (instanceId: number, run: (query: string) => void): void => {
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    const wanted = takeRequestedRun(instanceId);
    if (wanted !== null) run(wanted);
  });
};

interface RunButtonProps {
  readonly isRunning: boolean;
  readonly text: string;
  readonly onRun: () => void;
  readonly onCancel: () => void;
}

const RunButton = ({ isRunning, text, onRun, onCancel }: RunButtonProps) =>
  isRunning ? (
    <Button color="red" variant="light" onClick={onCancel}>
      Cancel
    </Button>
  ) : (
    <Button title="Ctrl-Enter" onClick={() => onRun()} disabled={text.trim() === ''}>
      Run
    </Button>
  );

const useCypher = (...known: Parameters<typeof vocabularyOf>) =>
  useMemo(() => ({ name: 'cypher' as const, vocabulary: vocabularyOf(...known) }), known);

interface ParametersProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const Parameters = ({ value, onChange }: ParametersProps) => (
  <Branch title="Parameters" startsOpen={value !== ''}>
    {() => (
      <Textarea
        aria-label="Parameters as JSON"
        placeholder='{"id": 10}'
        autosize
        minRows={2}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  </Branch>
);

interface SchemaListProps {
  readonly schema: ReturnType<typeof useSchema>;
  /** Copies a query about a label or type to the editor. */
  readonly onPick: (query: string) => void;
}

const quoted = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``);

/** Labels and types with their counts; each proposes a query. */
const SchemaList = ({ schema, onPick }: SchemaListProps) => (
  <aside className="schema" aria-label="Schema">
    <Loaded query={schema}>
      {({ node_tables, edge_tables }) => (
        <>
          <h2>Nodes</h2>
          {node_tables.map(({ label, node_count }) => (
            <button key={label} type="button" onClick={() => onPick(`MATCH (n:${quoted(label)})\nRETURN n LIMIT 100`)}>
              <bdi>{label}</bdi> <span className="dimmed">{count(node_count)}</span>
            </button>
          ))}
          <h2>Edges</h2>
          {edge_tables.map(({ type, from_node, to_node, edge_count }) => (
            <button
              key={`${type} ${from_node} ${to_node}`}
              type="button"
              title={`(${from_node}) –[${type}]→ (${to_node})`}
              onClick={() => onPick(`MATCH (a)-[r:${quoted(type)}]->(b)\nRETURN a, r, b LIMIT 300`)}
            >
              <bdi>{type}</bdi> <span className="dimmed">{count(edge_count)}</span>
            </button>
          ))}
        </>
      )}
    </Loaded>
  </aside>
);

type Known<F extends (...input: never[]) => { readonly data: unknown }> = ReturnType<F>['data'];

/** The editor's proposals for a graph, from the answers of the instance so far. */
const vocabularyOf = (schema: Known<typeof useSchema>, language: Known<typeof useLanguage>): Vocabulary => {
  const [nodes, edges] = [schema?.node_tables ?? [], schema?.edge_tables ?? []];
  const properties = [...nodes, ...edges].flatMap((table) => Object.keys(table.properties));
  return {
    labels: nodes.map(({ label }) => label),
    types: [...new Set(edges.map(({ type }) => type))],
    properties: [...new Set(properties)],
    ...(language ?? { functions: [], procedures: [], keywords: [] }),
  };
};
