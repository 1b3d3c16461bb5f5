import { Button } from '@mantine/core';
import { useVersions } from '../../api/mappings';
import { age } from '../../kit/format';
import { Rest } from '../../kit/rest';
import { Section } from '../../kit/section';
import { Loaded } from '../../kit/view';

interface VersionsProps {
  readonly id: number;
  /** The selected version. */
  readonly version: number;
  readonly onShow: (show: { readonly version: number; readonly with?: number }) => void;
}

/** The versions, newest first; one is shown, and compared with another. */
export const Versions = ({ id, version, onShow }: VersionsProps) => (
  <Section title="Versions">
    <Loaded query={useVersions(id)}>
      {({ data, page }) => (
        <ul className="tree">
          {data.map(({ version: one, change_description, created_by_name, created_at }) => (
            <li key={one}>
              <strong>{one}</strong> <bdi>{change_description ?? 'created'}</bdi>{' '}
              <bdi className="dimmed">
                {created_by_name}, {age(created_at)} ago
              </bdi>
              {one !== version && (
                <Button.Group>
                  <Button size="compact-xs" variant="default" onClick={() => onShow({ version: one })}>
                    Show {one}
                  </Button>
                  <Button size="compact-xs" variant="default" onClick={() => onShow({ version, with: one })}>
                    Compare with {one}
                  </Button>
                </Button.Group>
              )}
            </li>
          ))}
          <Rest shown={data.length} page={page} />
        </ul>
      )}
    </Loaded>
  </Section>
);
