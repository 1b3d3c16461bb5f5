import { Button, Divider, Group, NumberInput, Stack } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { need } from '../../api/failure';
import { startGraph, useChange } from '../../api/graphs';
import { type Mapping, useMapping, useMappingTree } from '../../api/mappings';
import { useSession } from '../../api/session';
import { DeleteButton, DialogButton } from '../../kit/buttons';
import { Field, Form } from '../../kit/field';
import { age } from '../../kit/format';
import { amountOf, DAY, lifetimeOf } from '../../kit/lifetime';
import { mayChange } from '../../kit/may-change';
import { ResourceTabs } from '../../kit/resource-tabs';
import { StartForm } from '../../kit/start-form';
import { StateBadge } from '../../kit/state-badge';
import { Loaded, PageTitle, Problem, Section } from '../../kit/view';
import { DefinitionsView, VersionDiff, Versions } from './versions';

export interface MappingSearch {
  /** The version to show; absent: the current one. */
  readonly version?: number | undefined;
  /** The version to compare it with. */
  readonly with?: number | undefined;
}

/** One mapping: its definitions and versions, and its snapshots and graphs. */
export const MappingPage = () => {
  const { id } = useParams({ from: '/mappings/$id' });
  return (
    <Loaded query={useMapping(id)} heading={`Mapping ${id}`}>
      {({ data }) => <Shown mapping={data} />}
    </Loaded>
  );
};

const Shown = ({ mapping }: { readonly mapping: Mapping }) => {
  const search = useSearch({ from: '/mappings/$id' });
  const { id, name, description, owner_username, current_version } = mapping;
  const navigate = useNavigate();
  const starting = useChange(startGraph);
  const isOwn = mayChange(useSession(), owner_username);
  const version = search.version ?? current_version;
  const edit = (): void => void navigate({ to: '/mappings/$id/edit', params: { id } });
  const show = (next: MappingSearch): void =>
    void navigate({ to: '/mappings/$id', params: { id }, search: next, resetScroll: false });
  return (
    <Stack>
      <Group justify="space-between" align="start">
        <div>
          <PageTitle>
            <bdi>{name}</bdi>
          </PageTitle>
          <p className="facts">
            <bdi>{owner_username}</bdi> <span>version {current_version}</span>
          </p>
          <bdi className="description">{description}</bdi>
        </div>
        <Group gap="xs">
          {isOwn && <Button onClick={edit}>Edit</Button>}
          <DialogButton label="Copy" title="Copy the current version">
            {() => <CopyMapping id={id} name={name} />}
          </DialogButton>
          {isOwn && (
            <DialogButton label="Settings" title="Settings">
              {() => <MappingSettings mapping={mapping} />}
            </DialogButton>
          )}
        </Group>
      </Group>
      <ResourceTabs of="mapping" id={id} />
      <DefinitionsView id={id} version={version} />
      <Section title={`Start a graph of version ${version}`}>
        {starting.error !== null && <Problem error={starting.error} title="The graph could not be started" />}
        <StartForm
          name={name}
          isBusy={starting.isPending}
          onStart={(request) =>
            starting.mutate(
              { mapping_id: id, mapping_version: version, ...request },
              { onSuccess: (graph) => void navigate({ to: '/graphs/$id', params: { id: graph } }) },
            )
          }
        />
      </Section>
      <Versions id={id} version={version} onShow={show} />
      {search.with !== undefined && search.with !== version && (
        <VersionDiff id={id} from={Math.min(version, search.with)} to={Math.max(version, search.with)} />
      )}
      <MappingTree id={id} />
    </Stack>
  );
};

/** Copies the current version of a mapping to a new mapping of the user. */
const CopyMapping = ({ id, name: original }: { readonly id: number; readonly name: string }) => {
  const [name, setName] = useState(`${original} copy`);
  const navigate = useNavigate();
  const copying = useChange(async (api) => {
    const copy = (await need(api.copyMapping({ params: { id }, body: { name: name.trim() } }))).id;
    await navigate({ to: '/mappings/$id', params: { id: copy } });
  });
  return (
    <Form onSubmit={() => copying.mutate(undefined)}>
      {copying.error !== null && <Problem error={copying.error} title="Not copied" />}
      <Field label="Name of the copy" maxLength={255} value={name} onChange={setName} mb="sm" />
      <Button type="submit" disabled={name.trim() === ''} loading={copying.isPending}>
        Create the copy
      </Button>
    </Form>
  );
};

/** The snapshots and graphs of each version, polled. */
const MappingTree = ({ id }: { readonly id: number }) => (
  <Section title="Snapshots and graphs">
    <Loaded query={useMappingTree(id)}>
      {({ data: { versions, totals } }) => (
        <>
          {totals.snapshot_count === 0 && (
            <p className="dimmed">No snapshots or graphs yet. Start a graph of this mapping.</p>
          )}
          <ul className="tree">
            {versions
              .filter(({ snapshot_count }) => snapshot_count > 0)
              .map(({ version, snapshots }) => (
                <li key={version}>
                  Version {version}
                  <ul>
                    {snapshots.map(({ id: snapshot, name, status, created_at, instances }) => (
                      <li key={snapshot}>
                        Snapshot <bdi>{name}</bdi> <StateBadge status={status} />{' '}
                        <span className="dimmed">{age(created_at)} old</span>
                        <ul>
                          {instances.map((one) => (
                            <li key={one.id}>
                              <Link to="/graphs/$id" params={{ id: one.id }}>
                                <bdi>{one.name}</bdi>
                              </Link>{' '}
                              <StateBadge status={one.status} />
                            </li>
                          ))}
                        </ul>
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
          </ul>
        </>
      )}
    </Loaded>
  </Section>
);

/** Lifetime and deletion of a mapping. */
const MappingSettings = ({ mapping }: { readonly mapping: Mapping }) => {
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
    return need(api.setMappingLifecycle({ params, body }));
  });
  const remove = useChange((api) => need(api.deleteMapping({ params })));
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
