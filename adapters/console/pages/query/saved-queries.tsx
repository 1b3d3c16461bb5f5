import { Button, CloseButton, Group, Popover, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSavedQueries } from '../../api/queries';
import { type Data } from '../../api/use-answer';
import { restoreStyle, styleText } from '../../graph/stored-style';
import { Field, Form } from '../../kit/field';
import { latestOf } from '../../kit/latest-of';
import { Loaded, Problem } from '../../kit/view';

interface SavedQueriesProps {
  readonly mappingId: number;
  readonly history: readonly string[];
  readonly text: string;
  readonly parameters: string;
  /** Copies a query to the editor, with its parameters if it has any. */
  readonly onPick: (query: string, parameters?: string) => void;
}

type SavedQuery = Data<'listSavedQueries'>[number];

const SHOWN = 12;
const line = (query: string): string => query.replaceAll(/\s+/g, ' ').slice(0, 70);

/** The user's saved queries of this mapping, with drawing styles, and the last queries that ran in this browser. */
export const SavedQueries = ({ mappingId, history, text, parameters, onPick }: SavedQueriesProps) => {
  const [name, setName] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { saved, save, remove } = useSavedQueries(mappingId);
  const latest = latestOf([save, remove]);
  const pick: typeof onPick = (...picked) => {
    onPick(...picked);
    setOpen(false);
  };
  const pickSaved = ({ query, parameters: its, drawing }: SavedQuery): void => {
    // The next result is drawn in the style saved with the query.
    if (drawing !== null) restoreStyle(mappingId, drawing);
    pick(query, its);
  };
  return (
    <Popover width={380} position="bottom-start" withinPortal={false} opened={isOpen} onChange={setOpen}>
      <Popover.Target>
        <Button variant="default" onClick={() => setOpen(!isOpen)}>
          Queries
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="queries-menu" aria-label="Queries">
        {latest.error !== null && (
          <Problem error={latest.error} title={latest === remove ? 'Not deleted' : 'Not saved'} />
        )}
        <SaveForm
          name={name}
          onName={setName}
          isEmpty={text.trim() === ''}
          isBusy={save.isPending}
          onSave={() =>
            save.mutate(
              { name: name.trim(), query: text, parameters, drawing: styleText(mappingId) },
              { onSuccess: () => setName('') },
            )
          }
        />
        <Link
          from="/graphs/$id"
          to="."
          search={{ query: text }}
          className="picked-query"
          onClick={() => setOpen(false)}
        >
          Show this query in the address
        </Link>
        <Loaded query={saved}>
          {({ data }) => <SavedList queries={data} onPick={pickSaved} onDelete={remove.mutate} />}
        </Loaded>
        <History queries={history} onPick={pick} />
      </Popover.Dropdown>
    </Popover>
  );
};

interface SaveFormProps {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly isEmpty: boolean;
  readonly isBusy: boolean;
  readonly onSave: () => void;
}

const SaveForm = ({ name, onName, isEmpty, isBusy, onSave }: SaveFormProps) => (
  <Form className="save-query" onSubmit={onSave}>
    <Field
      size="xs"
      flex={1}
      maxLength={255}
      aria-label="Name of the query"
      placeholder="Save this query as …"
      value={name}
      onChange={onName}
    />
    <Button size="xs" type="submit" disabled={name.trim() === '' || isEmpty} loading={isBusy}>
      Save
    </Button>
  </Form>
);

interface SavedListProps {
  readonly queries: readonly SavedQuery[];
  readonly onPick: (query: SavedQuery) => void;
  readonly onDelete: (name: string) => void;
}

const SavedList = ({ queries, onPick, onDelete }: SavedListProps) => (
  <>
    <Text size="xs" className="dimmed">
      {queries.length === 0 ? 'No saved queries of this mapping.' : 'Saved'}
    </Text>
    {queries.map((one) => (
      <Group key={one.name} gap={6} wrap="nowrap">
        <UnstyledButton className="picked-query" onClick={() => onPick(one)}>
          <bdi>{one.name}</bdi>
        </UnstyledButton>
        <CloseButton size="md" aria-label={`Delete ${one.name}`} onClick={() => onDelete(one.name)} />
      </Group>
    ))}
  </>
);

interface HistoryProps {
  readonly queries: readonly string[];
  readonly onPick: (query: string) => void;
}

const History = ({ queries, onPick }: HistoryProps) => (
  <>
    {queries.length > 0 && (
      <Text size="xs" className="dimmed">
        History
      </Text>
    )}
    {queries.slice(0, SHOWN).map((query) => (
      <UnstyledButton key={query} className="picked-query" onClick={() => onPick(query)}>
        <code>{line(query)}</code>
      </UnstyledButton>
    ))}
  </>
);
