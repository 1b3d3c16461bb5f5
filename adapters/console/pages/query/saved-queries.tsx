import { useState } from 'react';
import { Button, CloseButton, Group, Popover, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSavedQueries } from '../../api/queries';
import { restoreStyle, styleText } from '../../graph/stored-style';
import { Field, Form } from '../../kit/field';
import { Loaded, Problem } from '../../kit/view';

interface SavedQueriesProps {
  readonly mappingId: number;
  readonly history: readonly string[];
  readonly text: string;
  readonly parameters: string;
  /** Copies a query to the editor, with its parameters if it has any. */
  readonly onPick: (query: string, parameters?: string) => void;
}

const SHOWN = 12;
const line = (query: string): string => query.replaceAll(/\s+/g, ' ').slice(0, 70);

/** The user's saved queries of this mapping, with drawing styles, and the last queries that ran in this browser. */
export const SavedQueries = ({ mappingId, history, text, parameters, onPick }: SavedQueriesProps) => {
  const [name, setName] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { saved, save, remove } = useSavedQueries(mappingId);
  const problem = save.error ?? remove.error;
  return (
    <Popover width={380} position="bottom-start" withinPortal={false} opened={isOpen} onChange={setOpen}>
      <Popover.Target>
        <Button variant="default" onClick={() => setOpen(!isOpen)}>
          Queries
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="queries-menu" aria-label="Queries">
        {problem !== null && <Problem error={problem} title="Not saved" />}
        <Form
          className="save-query"
          onSubmit={() =>
            save.mutate(
              { name: name.trim(), query: text, parameters, drawing: styleText(mappingId) },
              { onSuccess: () => setName('') },
            )
          }
        >
          <Field
            size="xs"
            flex={1}
            maxLength={255}
            aria-label="Name of the query"
            placeholder="Save this query as …"
            value={name}
            onChange={setName}
          />
          <Button size="xs" type="submit" disabled={name.trim() === '' || text.trim() === ''} loading={save.isPending}>
            Save
          </Button>
        </Form>
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
          {({ data: all }) => (
            <>
              <Text size="xs" className="dimmed">
                {all.length === 0 ? 'No saved queries of this mapping.' : 'Saved'}
              </Text>
              {all.map((one) => (
                <Group key={one.name} gap={6} wrap="nowrap">
                  <UnstyledButton
                    className="picked-query"
                    onClick={() => {
                      // The next result is drawn in the style saved with the query.
                      if (one.drawing !== null) restoreStyle(mappingId, one.drawing);
                      onPick(one.query, one.parameters);
                      setOpen(false);
                    }}
                  >
                    <bdi>{one.name}</bdi>
                  </UnstyledButton>
                  <CloseButton size="md" aria-label={`Delete ${one.name}`} onClick={() => remove.mutate(one.name)} />
                </Group>
              ))}
            </>
          )}
        </Loaded>
        {history.length > 0 && (
          <Text size="xs" className="dimmed">
            History
          </Text>
        )}
        {history.slice(0, SHOWN).map((query) => (
          <UnstyledButton
            key={query}
            className="picked-query"
            onClick={() => {
              onPick(query);
              setOpen(false);
            }}
          >
            <code>{line(query)}</code>
          </UnstyledButton>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
};
