import { NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { useApiKeys, type User, useUsers } from '../../api/administration';
import { need } from '../../api/failure';
import { useChange } from '../../api/graphs';
import { useSession } from '../../api/session';
import { Field } from '../../kit/field';
import { age, until } from '../../kit/format';
import { DAY, lifetimeOf } from '../../kit/lifetime';
import { Records } from '../../kit/record-table';
import { Section } from '../../kit/view';
import { ChangeForm, Outcome, RowButton } from './controls';

type Role = User['role'];

/** Users with their roles and API keys. */
export const UsersPanel = () => {
  const { role: own } = useSession();
  const [search, setSearch] = useState('');
  const [keysOf, setKeysOf] = useState<string | null>(null);
  const users = useUsers(search);
  // Only ops may create or change ops users.
  const roles: readonly Role[] = own === 'ops' ? ['analyst', 'admin', 'ops'] : ['analyst', 'admin'];
  const update = useChange(async (api, { username, is_active, role }: Partial<User> & Pick<User, 'username'>) => {
    const params = { username };
    if (role !== undefined) {
      const { revoked_api_keys: revoked } = await need(api.changeUserRole({ params, body: { role } }));
      const keys = revoked.map(({ name, created_by }) => `“${name}” by ${created_by}`);
      const note = keys.length === 0 ? '' : ` Revoked the API keys that others created: ${keys.join(', ')}.`;
      return `${username} has the role ${role}.${note}`;
    }
    await need(is_active === true ? api.updateUser({ params, body: { is_active } }) : api.deactivateUser({ params }));
    return `${is_active === true ? 'Activated' : 'Deactivated'} ${username}.`;
  });
  return (
    <>
      <Section title="Users">
        <Field aria-label="Search users" placeholder="Search" maw={260} value={search} onChange={setSearch} />
        <Outcome change={update} />
        <Records
          query={users}
          label="Table of users"
          keyOf={({ username }) => username}
          columns={{
            username: ({ username }) => username,
            name: ({ display_name }) => display_name,
            role: (user) => <RoleSelect user={user} roles={roles} onChange={update.mutate} />,
            active: ({ is_active }) => (is_active ? 'yes' : 'no'),
            created: ({ created_at }) => `${age(created_at)} ago`,
            action: ({ username, is_active, role }) => (
              <>
                <RowButton text="Keys" of={`of ${username}`} onClick={() => setKeysOf(username)} />
                <RowButton
                  text={is_active ? 'Deactivate' : 'Activate'}
                  of={username}
                  isDisabled={!roles.includes(role)}
                  onClick={() => update.mutate({ username, is_active: !is_active })}
                />
              </>
            ),
          }}
          empty="No users found."
        />
      </Section>
      {keysOf !== null && <KeysPanel key={keysOf} username={keysOf} onClose={() => setKeysOf(null)} />}
      <NewUser roles={roles} />
    </>
  );
};

interface RoleSelectProps {
  readonly user: User;
  /** The roles that the caller may give. */
  readonly roles: readonly Role[];
  readonly onChange: (change: Pick<User, 'username' | 'role'>) => void;
}

const RoleSelect = ({ user: { username, role }, roles, onChange }: RoleSelectProps) => (
  <Select
    size="xs"
    w={110}
    aria-label={`Role of ${username}`}
    data={roles.includes(role) ? roles : [role]}
    disabled={!roles.includes(role)}
    value={role}
    allowDeselect={false}
    onChange={(chosen) => chosen !== null && onChange({ username, role: chosen })}
  />
);

const NewUser = ({ roles }: { readonly roles: readonly Role[] }) => {
  const [username, setUsername] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('analyst');
  const create = useChange(async (api) => {
    const body = { username, role, ...(name === '' ? {} : { display_name: name }) };
    const made = await need(api.createUser({ body }));
    return `Created user ${made.username} (${made.role}).`;
  });
  return (
    <Section title="New user">
      <ChangeForm label="New user" button="Create" change={create} onSubmit={() => create.mutate(undefined)}>
        <Field label="Username" required value={username} onChange={setUsername} />
        <Field label="Name" value={name} onChange={setName} />
        <Select
          label="Role"
          data={roles}
          value={role}
          allowDeselect={false}
          onChange={(chosen) => setRole(chosen ?? role)}
        />
      </ChangeForm>
    </Section>
  );
};

interface KeysProps {
  readonly username: string;
  readonly onClose: () => void;
}

/** The API keys of a user. */
const KeysPanel = ({ username, onClose }: KeysProps) => {
  const keys = useApiKeys(username);
  const [name, setName] = useState('');
  const [days, setDays] = useState<number | string>('');
  const params = { username };
  const revoke = useChange(async (api, key_id: string) => {
    await need(api.revokeApiKey({ params: { ...params, key_id } }));
    return 'Revoked the key.';
  });
  const create = useChange(async (api) => {
    const { key } = await need(api.createApiKey({ params, body: { name, ttl: lifetimeOf(days, DAY) } }));
    return `API key, shown only once: ${key}`;
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
