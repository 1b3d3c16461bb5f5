import { useState } from 'react';
import { Button, Menu, TextInput } from '@mantine/core';
import { type Kept } from '../../kit/kept';

interface SavedQueriesProps {
  readonly kept: Kept;
  readonly text: string;
  readonly onPick: (query: string) => void;
  readonly onChange: (kept: Kept) => void;
}

const SHOWN = 12;
const line = (query: string): string => query.replaceAll(/\s+/g, ' ').slice(0, 70);

/** Queries that ran before, and those saved under a name, of this mapping and in this browser. */
export const SavedQueries = ({ kept, text, onPick, onChange }: SavedQueriesProps) => {
  const [name, setName] = useState('');
  const save = (): void => {
    const saved = [{ name: name.trim(), query: text }, ...kept.saved.filter((one) => one.name !== name.trim())];
    onChange({ ...kept, saved });
    setName('');
  };
  return (
    <Menu width={380} position="bottom-start">
      <Menu.Target>
        <Button variant="default">Queries</Button>
      </Menu.Target>
      <Menu.Dropdown className="queries-menu">
        <form
          className="save-query"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== '') save();
          }}
        >
          <TextInput
            size="xs"
            flex={1}
            aria-label="Name of the query"
            placeholder="Save this query as …"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button size="xs" type="submit" disabled={name.trim() === ''}>
            Save
          </Button>
        </form>
        {kept.saved.length > 0 && <Menu.Label>Saved in this browser</Menu.Label>}
        {kept.saved.map((one) => (
          <Menu.Item key={one.name} onClick={() => onPick(one.query)}>
            <bdi>{one.name}</bdi>
          </Menu.Item>
        ))}
        {kept.history.length > 0 && <Menu.Label>History</Menu.Label>}
        {kept.history.slice(0, SHOWN).map((query) => (
          <Menu.Item key={query} onClick={() => onPick(query)}>
            <code>{line(query)}</code>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
