import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { sqlCheck } from '../../api/check-sql';
import { useChange } from '../../api/graphs';
import { fullName, guessGraph } from '../../api/guess-graph';
import {
  definitionsOf,
  type Draft,
  draftOf,
  EMPTY_DRAFT,
  saveMapping,
  withEdge,
  withGuess,
  withNode,
} from '../../api/mapping-draft';
import { type Mapping, useMapping } from '../../api/mappings';
import { useSession } from '../../api/session';
import { useTableNames, useTables } from '../../api/tables';
import { Field } from '../../kit/field';
import { mayChange } from '../../kit/may-change';
import { SchemaDiagram } from '../../kit/schema-diagram';
import { readJson, writeJson } from '../../kit/stored-json';
import { TableChoice } from '../../kit/table-choice';
import { Loaded, PageTitle, Problem, Section } from '../../kit/view';
import { Definitions } from './definitions';

interface MappingEditorProps {
  /** The mapping that gets a new version; null: a new mapping. */
  readonly mapping: Mapping | null;
  readonly table?: string | undefined;
}

/** The editor of a mapping. Unsaved changes are stored in this browser. */
export const MappingEditor = ({ mapping, table }: MappingEditorProps) => {
  const { api, username } = useSession();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const storageKey = `rowgraph.mapping.${username}.${mapping?.id ?? 'new'}`;
  const [start] = useState<Draft>(() => (mapping === null ? EMPTY_DRAFT : draftOf(mapping)));
  const [draft, setDraft] = useState(() => readJson(localStorage, storageKey, start));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(start);
  useEffect(() => {
    if (isChanged) writeJson(localStorage, storageKey, draft);
    else localStorage.removeItem(storageKey);
  }, [isChanged, storageKey, draft]);
  const change = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  const saving = useChange(async () => {
    const definitions = await definitionsOf(draft, (sql) => cache.query(sqlCheck(api, sql)));
    const id = await saveMapping(api, mapping, draft, definitions);
    localStorage.removeItem(storageKey);
    await navigate({ to: '/mappings/$id', params: { id } });
  });
  return (
    <Stack>
      <PageTitle>{mapping === null ? 'New mapping' : <bdi>{mapping.name}</bdi>}</PageTitle>
      {isChanged && <DraftNote draft={draft} mapping={mapping} onDiscard={() => setDraft(start)} />}
      <AddTables draft={draft} table={table} onChange={setDraft} />
      <Section title="Nodes and edges">
        <SchemaDiagram
          nodes={draft.nodes.map(({ id, label }) => ({ id: String(id), label }))}
          edges={draft.edges.map(({ type, from, to }) => ({ type, from: String(from), to: String(to) }))}
        />
        <Definitions draft={draft} onChange={setDraft} />
        <Group mt="md">
          <Button variant="default" onClick={() => setDraft(withNode(draft))}>
            Add a node
          </Button>
          <Button variant="default" disabled={draft.nodes.length === 0} onClick={() => setDraft(withEdge(draft))}>
            Add an edge
          </Button>
        </Group>
      </Section>
      <Stack component="section" className="panel" aria-label="Save" align="start">
        {saving.error !== null && <Problem error={saving.error} title="Not saved" />}
        <DraftTexts draft={draft} isNew={mapping === null} onChange={change} />
        <Button
          onClick={() => saving.mutate(undefined)}
          loading={saving.isPending}
          disabled={!isChanged || draft.name.trim() === '' || draft.nodes.length === 0}
        >
          {mapping === null ? 'Create the mapping' : 'Save'}
        </Button>
      </Stack>
    </Stack>
  );
};

interface DraftNoteProps extends Pick<MappingEditorProps, 'mapping'> {
  readonly draft: Draft;
  readonly onDiscard: () => void;
}

const DraftNote = ({ draft, mapping, onDiscard }: DraftNoteProps) => (
  <p className="dimmed" role="status">
    Not saved yet; the draft is kept in this browser.{' '}
    {mapping !== null && draft.version !== mapping.version.version && (
      <strong>
        The draft is based on version {draft.version}; the current version is {mapping.version.version}.
      </strong>
    )}{' '}
    <button type="button" className="link" onClick={onDiscard}>
      Discard the draft
    </button>
  </p>
);

interface DraftTextsProps {
  readonly draft: Draft;
  readonly isNew: boolean;
  readonly onChange: (part: Partial<Draft>) => void;
}

const DraftTexts = ({ draft, isNew, onChange }: DraftTextsProps) => {
  const w = 'min(560px, 100%)';
  return (
    <>
      <Field label="Name" w={w} maxLength={255} value={draft.name} onChange={(name) => onChange({ name })} />
      <Textarea
        label="Description"
        w={w}
        autosize
        value={draft.description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
      />
      {!isNew && (
        <Field
          label="Change note"
          w={w}
          description="Required for a new version"
          maxLength={1000}
          value={draft.change}
          onChange={(change) => onChange({ change })}
        />
      )}
    </>
  );
};

interface AddTablesProps {
  readonly draft: Draft;
  readonly table: string | undefined;
  readonly onChange: (draft: Draft) => void;
}

/** Adds the nodes and edges guessed from tables. */
const AddTables = ({ draft, table, onChange }: AddTablesProps) => {
  const names = useTableNames();
  const [chosen, setChosen] = useState<readonly string[]>(table === undefined ? [] : [table]);
  const tables = useTables((names.data ?? []).filter((name) => chosen.includes(fullName(name))));
  return (
    <Section title="Tables">
      <Loaded query={names}>
        {(all) => (
          <>
            {table !== undefined && !all.some((name) => fullName(name) === table) && (
              <p role="status">
                Table <bdi>{table}</bdi> does not exist, or you may not read it. Choose other tables.
              </p>
            )}
            <TableChoice names={all.map(fullName)} chosen={chosen} onChange={setChosen} />
          </>
        )}
      </Loaded>
      {tables.error !== null && <Problem error={tables.error} title="The columns cannot be read" />}
      <Button
        mt="sm"
        disabled={chosen.length === 0 || tables.data === undefined || tables.isPlaceholderData}
        onClick={() => onChange(withGuess(draft, guessGraph(tables.data ?? [])))}
      >
        Add their nodes and edges
      </Button>
    </Section>
  );
};

/** The editor for the next version of a mapping. */
export const EditMappingPage = () => {
  const { id } = useParams({ from: '/mappings/$id/edit' });
  const session = useSession();
  return (
    <Loaded query={useMapping(id)} heading={`Mapping ${id}`}>
      {({ data }) =>
        mayChange(session, data.owner_username) ? (
          // Another version starts another draft; unsaved changes are kept.
          <MappingEditor key={data.version.version} mapping={data} />
        ) : (
          <>
            <PageTitle mb="md">
              <bdi>{data.name}</bdi>
            </PageTitle>
            <p>
              Only <bdi>{data.owner_username}</bdi>, admins and ops may change this mapping.{' '}
              <Link to="/mappings/$id" params={{ id }}>
                Copy it
              </Link>{' '}
              to change the copy.
            </p>
          </>
        )
      }
    </Loaded>
  );
};
