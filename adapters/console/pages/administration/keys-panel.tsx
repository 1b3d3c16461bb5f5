import { useState } from 'react';
import { NumberInput } from '@mantine/core';
import { useApiKeys } from '../../api/administration';
import { need } from '../../api/failure';
import { useChange } from '../../api/graphs';
import { age, until } from '../../kit/format';
import { DAY, lifetimeOf } from '../../kit/lifetime';
import { Records } from '../../kit/record-table';
import { Section } from '../../kit/section';
import { ChangeForm, Outcome, RowButton } from './controls';
import { Field } from '../../kit/field';

interface KeysProps {
  readonly username: string;
  readonly onClose: () => void;
}

/** The API keys of a user. */
export const KeysPanel = ({ username, onClose }: KeysProps) => {
  const keys = useApiKeys(username);
  const [name, setName] = useState('');
  const [days, setDays] = useState<number | string>('');
  const params = { username };
  const revoke = useChange(async (api, key_id: string) =>
    need(await api.revokeApiKey({ params: { ...params, key_id } }), () => 'Revoked the key.'),
  );
  const create = useChange(async (api) => {
    const body = { name, ttl: lifetimeOf(days, DAY) };
    return need(await api.createApiKey({ params, body }), ({ data: { key } }) => `API key, shown only once: ${key}`);
  });
  return (
    <Section title={`API keys of ${username}`}>
      <RowButton text="Close" of="API keys" onClick={onClose} />
      <Outcome change={revoke} />
      <Records
        query={keys}
        label="Table of API keys"
        keyOf={({ id }) => id}
        columns={{
          name: (one) => one.name,
          created: ({ created_at }) => `${age(created_at)} ago`,
          'created by': ({ created_by }) => created_by,
          expires: ({ expires_at }) => (expires_at === null ? 'never' : `in ${until(expires_at)}`),
          action: (one) => (
            <RowButton text="Revoke" confirm="Revoke permanently" of={one.name} onClick={() => revoke.mutate(one.id)} />
          ),
        }}
        empty="No API keys."
      />
      <ChangeForm label="New key" button="Create a key" change={create} onSubmit={() => create.mutate(undefined)}>
        <Field label="Name of the key" required value={name} onChange={setName} />
        <NumberInput label="Lifetime, days" placeholder="no limit" min={1} value={days} onChange={setDays} />
      </ChangeForm>
    </Section>
  );
};
