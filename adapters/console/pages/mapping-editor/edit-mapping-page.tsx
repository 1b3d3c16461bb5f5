import { Title } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useMapping } from '../../api/mappings';
import { useSession } from '../../api/session-context';
import { mayChange } from '../../kit/may-change';
import { Loaded } from '../../kit/view';
import { MappingEditor } from './mapping-editor';

/** The editor for the next version of a mapping. */
export const EditMappingPage = () => {
  const { id } = useParams({ from: '/mappings/$id/edit' });
  const session = useSession();
  return (
    <Loaded query={useMapping(id)} heading={`Mapping ${id}`}>
      {({ data }) =>
        mayChange(session, data.owner_username) ? (
          // Another version starts another draft; unsaved changes are kept.
          <MappingEditor key={data.version.version} mapping={data} />
        ) : (
          <>
            <Title order={1} size="h2" mb="md">
              <bdi>{data.name}</bdi>
            </Title>
            <p>
              Only <bdi>{data.owner_username}</bdi>, admins and ops may change this mapping.{' '}
              <Link to="/mappings/$id" params={{ id }}>
                Copy it
              </Link>{' '}
              to change the copy.
            </p>
          </>
        )
      }
    </Loaded>
  );
};
