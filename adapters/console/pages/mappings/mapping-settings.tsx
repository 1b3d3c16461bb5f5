import { useState } from 'react';
import { Button, Divider, Group, NumberInput, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { need } from '../../api/failure';
import { useChange } from '../../api/graphs';
import { type Mapping } from '../../api/mappings';
import { DeleteButton } from '../../kit/delete-button';
import { amountOf, DAY, lifetimeOf } from '../../kit/lifetime';
import { Problem } from '../../kit/view';

/** Lifetime and deletion of a mapping. */
export const MappingSettings = ({ mapping }: { readonly mapping: Mapping }) => {
  const params = { id: mapping.id };
  const navigate = useNavigate();
  const [before] = useState({ days: amountOf(mapping.ttl, DAY), unused: amountOf(mapping.inactivity_timeout, DAY) });
  const [days, setDays] = useState<number | string>(before.days);
  const [unused, setUnused] = useState<number | string>(before.unused);
  const setLifetime = useChange(async (api) => {
    const body = {
      ...(days === before.days ? {} : { ttl: lifetimeOf(days, DAY) }),
      ...(unused === before.unused ? {} : { inactivity_timeout: lifetimeOf(unused, DAY) }),
    };
    return need(await api.setMappingLifecycle({ params, body }), () => undefined);
  });
  const remove = useChange(async (api) => need(await api.deleteMapping({ params }), () => undefined));
  return (
    <Stack>
      {setLifetime.error !== null && <Problem error={setLifetime.error} title="Not changed" />}
      <NumberInput
        label="Lifetime, days"
        placeholder="default"
        description="The mapping is deleted after this time"
        min={1}
        value={days}
        onChange={setDays}
      />
      <NumberInput label="Inactivity timeout, days" placeholder="default" min={1} value={unused} onChange={setUnused} />
      <Group>
        <Button
          variant="default"
          disabled={days === before.days && unused === before.unused}
          loading={setLifetime.isPending}
          onClick={() => setLifetime.mutate(undefined)}
        >
          Save
        </Button>
        <span className="dimmed" role="status">
          {setLifetime.isSuccess && 'Saved.'}
        </span>
      </Group>
      <Divider />
      {remove.error !== null && <Problem error={remove.error} title="Not deleted" />}
      <DeleteButton
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/mappings' }) })}
      />
    </Stack>
  );
};
