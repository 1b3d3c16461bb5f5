import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Button, Group, Loader, Textarea } from '@mantine/core';
import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError, placed } from '../../api/failure';
import { type Address, useLanguage, useRunQuery, useSchema } from '../../api/queries';
import { useSession } from '../../api/session-context';
import { Branch } from '../../kit/branch';
import { duration } from '../../kit/format';
import { readKept, withRun } from '../../kit/kept';
import { writeJson } from '../../kit/kept-json';
import { takeRequestedRun } from '../../kit/requested-run';
import { Problem } from '../../kit/view';
import { ExportMenu } from './export-menu';
import { readParameters } from './read-parameters';
import { Results } from './results';
import { SchemaList } from './schema-list';
import { SavedQueries } from './saved-queries';
import { useRun } from './use-run';
import { vocabularyOf } from './vocabulary-of';

const LazyCodeEditor = lazyRouteComponent(() => import('../../language/code-editor'), 'CodeEditor');

interface WorkbenchProps {
  readonly instanceId: number;
  readonly mappingId: number;
  readonly address: Address;
  readonly query: string | undefined;
}

const FIRST_QUERY = 'MATCH (a)-[r]->(b)\nRETURN a, r, b LIMIT 300';

/** The editor of queries, and their results. */
export const Workbench = ({ instanceId, mappingId, address, query }: WorkbenchProps) => {
  const keptKey = `rowgraph.queries.${useSession().username}.${mappingId}`;
  const [kept, setKept] = useState(() => readKept(localStorage, keptKey));
  const [text, setText] = useState(() => query ?? (kept.draft || FIRST_QUERY));
  const [parameters, setParameters] = useState(kept.parameters);
  const schema = useSchema(address);
  const language = useLanguage(address);
  const runQuery = useRunQuery(address);
  const { run, cancel, state } = useRun(runQuery);
  const [exportProblem, setExportProblem] = useState<Error | null>(null);
  const keep = (change: Partial<typeof kept>): void => {
    const next = { ...kept, draft: text, parameters, ...change };
    setKept(next);
    writeJson(localStorage, keptKey, next);
  };
  const start = (cypher = text): void => {
    keep({ ...withRun(kept, cypher), draft: cypher, parameters });
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
  const cypher = useCypher(schema.data, language.data);
  const fault = state.status === 'failed' && state.error instanceof ApiError ? state.error.place : null;
  const pick = (next: string, itsParameters = '{}'): void => {
    const nextParameters = itsParameters === '{}' ? parameters : itsParameters;
    setText(next);
    setParameters(nextParameters);
    keep({ draft: next, parameters: nextParameters });
  };
  return (
    <div className="workbench">
      <SchemaList schema={schema} onPick={pick} />
      <div className="workbench-main">
        <div className="panel query-panel">
          <Suspense fallback={<Loader size="sm" role="status" aria-label="Loading the editor" />}>
            <LazyCodeEditor
              text={text}
              language={cypher}
              label="Cypher query"
              hint="MATCH (n) RETURN n LIMIT 25"
              fault={fault}
              onChange={(next) => {
                setText(next);
                keep({ draft: next });
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
            <SavedQueries
              mappingId={mappingId}
              history={kept.history}
              text={text}
              parameters={parameters}
              onPick={pick}
            />
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
          <Parameters
            value={parameters}
            onChange={(next) => {
              setParameters(next);
              keep({ parameters: next });
            }}
          />
        </div>
        {exportProblem !== null && <Problem error={exportProblem} title="Not exported" />}
        {state.status === 'failed' && <Problem error={state.error} title={placed('The query failed', fault)} />}
        {state.status === 'done' && (
          <Results answer={state.answer} address={address} mappingId={mappingId} schema={schema.data} />
        )}
      </div>
    </div>
  );
};

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
