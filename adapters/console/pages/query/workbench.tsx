import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Button, Group, Loader, Textarea } from '@mantine/core';
import { type Address, useRunQuery, useSchema } from '../../api/queries';
import { duration } from '../../kit/format';
import { readKept, withRun, writeKept } from '../../kit/kept';
import { takeRequestedRun } from '../../kit/requested-run';
import { Problem } from '../../kit/view';
import { ExportMenu } from './export-menu';
import { readParameters } from './read-parameters';
import { Results } from './results';
import { SchemaList } from './schema-list';
import { SavedQueries } from './saved-queries';
import { useRun } from './use-run';
import { vocabularyOf } from './vocabulary-of';

const CypherEditor = lazy(() =>
  import('../../language/cypher-editor').then(({ CypherEditor: component }) => ({ default: component })),
);

interface WorkbenchProps {
  readonly instanceId: number;
  readonly mappingId: number;
  readonly address: Address;
  readonly query: string | undefined;
}

const FIRST_QUERY = 'MATCH (a)-[r]->(b)\nRETURN a, r, b LIMIT 300';
/** The editor of queries, and their results. */
export const Workbench = ({ instanceId, mappingId, address, query }: WorkbenchProps) => {
  const keptKey = `rowgraph.queries.${mappingId}`;
  const [kept, setKept] = useState(() => readKept(localStorage, keptKey));
  const [text, setText] = useState(() => query ?? (kept.draft || FIRST_QUERY));
  const [parameters, setParameters] = useState('');
  const schema = useSchema(address);
  const runQuery = useRunQuery(address);
  const { run, cancel, state } = useRun(runQuery);
  const [exportProblem, setExportProblem] = useState<Error | null>(null);
  const keep = (next: typeof kept): void => {
    setKept(next);
    writeKept(localStorage, keptKey, next);
  };
  const start = (cypher = text): void => {
    keep(withRun({ ...kept, draft: cypher }, cypher));
    run(() => ({ query: cypher, parameters: readParameters(parameters) }));
  };
  const requested = useRef(false);
  useEffect(() => {
    if (requested.current) return;
    requested.current = true;
    const wanted = takeRequestedRun(instanceId);
    if (wanted === null) return;
    setText(wanted);
    start(wanted);
  });
  const vocabulary = useMemo(() => vocabularyOf(schema.data), [schema.data]);
  return (
    <div className="workbench">
      <SchemaList schema={schema} onPick={setText} />
      <div className="workbench-main">
        <div className="panel query-panel">
          <Suspense fallback={<Loader size="sm" role="status" aria-label="Loading the editor" />}>
            <CypherEditor
              text={text}
              vocabulary={vocabulary}
              onChange={(next) => {
                setText(next);
                writeKept(localStorage, keptKey, { ...kept, draft: next });
              }}
              onRun={start}
            />
          </Suspense>
          <Group gap="xs" mt="sm">
            {state.status === 'running' ? (
              <Button color="red" variant="light" onClick={cancel}>
                Cancel
              </Button>
            ) : (
              <Button title="Ctrl-Enter" onClick={() => start()} disabled={text.trim() === ''}>
                Run
              </Button>
            )}
            <SavedQueries kept={kept} text={text} onPick={setText} onChange={keep} />
            <ExportMenu
              address={address}
              query={() => ({ query: text, parameters: readParameters(parameters) })}
              onProblem={setExportProblem}
            />
            <span className="dimmed" role="status">
              {state.status === 'running' && `running for ${duration(state.elapsedMs)}`}
              {state.status === 'cancelled' && 'cancelled'}
            </span>
          </Group>
          <details className="parameters">
            <summary>Parameters</summary>
            <Textarea
              aria-label="Parameters as JSON"
              placeholder='{"id": 10}'
              autosize
              minRows={2}
              value={parameters}
              onChange={({ currentTarget }) => setParameters(currentTarget.value)}
            />
          </details>
        </div>
        {exportProblem !== null && <Problem error={exportProblem} title="Not exported" />}
        {state.status === 'failed' && <Problem error={state.error} title="The query failed" />}
        {state.status === 'done' && (
          <Results answer={state.answer} address={address} mappingId={mappingId} schema={schema.data} />
        )}
      </div>
    </div>
  );
};
