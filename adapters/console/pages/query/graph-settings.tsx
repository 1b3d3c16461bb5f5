import { Button, Divider, Group, NumberInput, Select, Stack, TagsInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { need } from '../../api/failure';
import { type GraphDetail, useChange, useResize } from '../../api/graphs';
import { DeleteButton } from '../../kit/buttons';
import { Field } from '../../kit/field';
import { latestOf } from '../../kit/latest-of';
import { amountOf, HOUR, lifetimeOf } from '../../kit/lifetime';
import { Problem } from '../../kit/view';

/** Settings and deletion of a graph. The fields start with the current settings, and keep typed values. */
export const GraphSettings = ({ graph }: { readonly graph: GraphDetail }) => {
  const params = { id: graph.id };
  const navigate = useNavigate();
  const [name, setName] = useState(graph.name);
  const [hours, setHours] = useState<number | string>(amountOf(graph.ttl, HOUR));
  const [cores, setCores] = useState<number | string>(graph.cpu_cores);
  const [memory, setMemory] = useState<number | string>(graph.memory_gb ?? 4);
  const rename = useChange((api) => need(api.updateInstance({ params, body: { name } })));
  const extend = useChange((api) =>
    need(api.updateInstanceLifecycle({ params, body: { ttl: lifetimeOf(hours, HOUR) } })),
  );
  const resize = useResize(graph);
  const share = useChange((api, body: AccessChange) => need(api.updateInstanceAccess({ params, body })));
  const remove = useChange((api) => need(api.deleteInstance({ params })));
  const { error } = latestOf([rename, extend, resize, share, remove]);
  return (
    <Stack>
      {error !== null && <Problem error={error} title="Not changed" />}
      <Setting button="Rename" isBusy={rename.isPending} onClick={() => rename.mutate(undefined)}>
        <Field label="Name" flex={1} value={name} onChange={setName} />
      </Setting>
      <Setting button="Extend" isBusy={extend.isPending} onClick={() => extend.mutate(undefined)}>
        <NumberInput
          label="Lifetime in hours, from the start"
          placeholder="default"
          flex={1}
          min={1}
          value={hours}
          onChange={setHours}
        />
      </Setting>
      <Setting
        button="Resize"
        isBusy={resize.isPending}
        isDisabled={graph.status !== 'running'}
        onClick={() => resize.mutate({ cores: Number(cores), memory: Number(memory) })}
      >
        <NumberInput label="CPU cores" flex={1} min={1} max={8} value={cores} onChange={setCores} />
        <NumberInput
          label="Memory, GB"
          flex={1}
          min={graph.memory_gb ?? 2}
          max={32}
          value={memory}
          onChange={setMemory}
        />
      </Setting>
      {resize.data !== undefined && <p role="status">{resize.data}</p>}
      <AccessSetting access={graph.access} isBusy={share.isPending} onShare={share.mutate} />
      <Divider />
      <DeleteButton
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/', search: {} }) })}
      />
    </Stack>
  );
};

interface SettingProps {
  readonly button: string;
  readonly isBusy: boolean;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** Fields with the button that applies them. */
const Setting = ({ button, isBusy, isDisabled, onClick, children }: SettingProps) => (
  <Group align="end" wrap="nowrap">
    {children}
    <Button variant="default" loading={isBusy} disabled={isDisabled} onClick={onClick}>
      {button}
    </Button>
  </Group>
);

type Access = GraphDetail['access'];
type AccessChange = Partial<Access> & Pick<Access, 'mode'>;

interface AccessSettingProps {
  readonly access: Access;
  readonly isBusy: boolean;
  readonly onShare: (access: AccessChange) => void;
}

const AccessSetting = ({ access, isBusy, onShare }: AccessSettingProps) => {
  const [mode, setMode] = useState<Access['mode']>(access.mode);
  const [users, setUsers] = useState<readonly string[]>(access.users);
  const share = (): void => onShare(mode === 'users' ? { mode, users } : { mode });
  return (
    <>
      <Setting button="Share" isBusy={isBusy} onClick={share}>
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
      </Setting>
      {mode === 'users' && (
        <TagsInput label="Users" value={[...users]} onChange={setUsers} placeholder="Name, then Enter" />
      )}
    </>
  );
};
