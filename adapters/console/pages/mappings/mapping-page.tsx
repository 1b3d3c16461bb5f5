import { Button, Group, Stack, Title } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { startGraph, useChange } from '../../api/graphs';
import { type Mapping, useMapping } from '../../api/mappings';
import { useSession } from '../../api/session-context';
import { DialogButton } from '../../kit/dialog-button';
import { mayChange } from '../../kit/may-change';
import { StartForm } from '../../kit/start-form';
import { Section } from '../../kit/section';
import { Loaded, Problem } from '../../kit/view';
import { CopyMapping } from './copy-mapping';
import { DefinitionsView } from './definitions-view';
import { MappingSettings } from './mapping-settings';
import { MappingTree } from './mapping-tree';
import { VersionDiff } from './version-diff';
import { Versions } from './versions';

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
          <Title order={1} size="h2">
            <bdi>{name}</bdi>
          </Title>
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
