import { useState } from 'react';
import { Button, Divider, Group, NumberInput, Select, Stack, TagsInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type GraphDetail, useChange, useResize } from '../../api/graphs';
import { need } from '../../api/failure';
import { DeleteButton } from '../../kit/buttons';

import { Problem } from '../../kit/view';
import { Field } from '../../kit/field';
import { amountOf, HOUR, lifetimeOf } from '../../kit/lifetime';

/** Settings and deletion of a graph. The fields start with the current settings, and keep typed values. */
export const GraphSettings = ({ graph }: { readonly graph: GraphDetail }) => {
  const { id, status } = graph;
  const params = { id };
  const navigate = useNavigate();
  const [name, setName] = useState(graph.name);
  const [hours, setHours] = useState<number | string>(amountOf(graph.ttl, HOUR));
  const [cores, setCores] = useState<number | string>(graph.cpu_cores);
  const [memory, setMemory] = useState<number | string>(graph.memory_gb ?? 4);
  const [mode, setMode] = useState<GraphDetail['access']['mode']>(graph.access.mode);
  const [users, setUsers] = useState<readonly string[]>(graph.access.users);
  const rename = useChange((api) => need(api.updateInstance({ params, body: { name } })));
  const extend = useChange((api) =>
    need(api.updateInstanceLifecycle({ params, body: { ttl: lifetimeOf(hours, HOUR) } })),
  );
  const resize = useResize(graph);
  const share = useChange((api) =>
    need(api.updateInstanceAccess({ params, body: { mode, ...(mode === 'users' ? { users } : {}) } })),
  );
  const remove = useChange((api) => need(api.deleteInstance({ params })));
  const failed = [rename, extend, resize, share, remove].find(({ error }) => error !== null);
  return (
    <Stack>
      {failed?.error != null && <Problem error={failed.error} title="Not changed" />}
      <Group align="end" wrap="nowrap">
        <Field label="Name" flex={1} value={name} onChange={setName} />
        <Button variant="default" loading={rename.isPending} onClick={() => rename.mutate(undefined)}>
          Rename
        </Button>
      </Group>
      <Group align="end" wrap="nowrap">
        <NumberInput
          label="Lifetime in hours, from the start"
          placeholder="default"
          flex={1}
          min={1}
          value={hours}
          onChange={setHours}
        />
        <Button variant="default" loading={extend.isPending} onClick={() => extend.mutate(undefined)}>
          Extend
        </Button>
      </Group>
      <Group align="end" wrap="nowrap">
        <NumberInput label="CPU cores" flex={1} min={1} max={8} value={cores} onChange={setCores} />
        <NumberInput label="Memory, GB" flex={1} min={2} max={32} value={memory} onChange={setMemory} />
        <Button
          variant="default"
          loading={resize.isPending}
          disabled={status !== 'running'}
          onClick={() => resize.mutate({ cores: Number(cores), memory: Number(memory) })}
        >
          Resize
        </Button>
      </Group>
      {resize.data !== undefined && <p role="status">{resize.data}</p>}
      <Group align="end" wrap="nowrap">
        <Select
          label="Access"
          flex={1}
          data={[
            { value: 'everyone', label: 'Everyone' },
            { value: 'users', label: 'Some users' },
            { value: 'owner', label: 'The owner' },
          ]}
          value={mode}
          allowDeselect={false}
          onChange={(value) => setMode(value ?? mode)}
        />
        <Button variant="default" loading={share.isPending} onClick={() => share.mutate(undefined)}>
          Share
        </Button>
      </Group>
      {mode === 'users' && (
        <TagsInput label="Users" value={[...users]} onChange={setUsers} placeholder="Name, then Enter" />
      )}
      <Divider />
      <DeleteButton
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/', search: {} }) })}
      />
    </Stack>
  );
};
