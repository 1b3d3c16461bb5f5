import { Loader, Timeline as Steps } from '@mantine/core';
import { type Progress, useProgress } from '../../api/graphs';
import { counted, duration } from '../../kit/format';
import { Loaded } from '../../kit/view';

type Step = NonNullable<Progress['steps']>[number];

const MARKS: Readonly<Record<Step['status'], string>> = { completed: '✓', failed: '✕', pending: '', in_progress: '' };

/** The steps of a start with the rows of each definition, polled. */
export const Timeline = ({ id }: { readonly id: number }) => (
  <section className="panel" aria-label="Start" aria-live="polite">
    <Loaded query={useProgress(id)}>
      {({ steps = [], elapsed_seconds }) => (
        <>
          <Steps bulletSize={22} lineWidth={2} active={steps.filter(({ status }) => status === 'completed').length - 1}>
            {steps.map(({ name, status, tables = [] }) => (
              <Steps.Item
                key={name}
                title={name.replaceAll('_', ' ')}
                bullet={
                  status === 'in_progress' ? <Loader size={12} role="status" aria-label="in progress" /> : MARKS[status]
                }
              >
                {tables.map((table) => (
                  <div key={`${table.type} ${table.name}`} className="step-table">
                    <bdi>{table.name}</bdi>
                    <span className="dimmed">
                      {table.row_count === undefined ? table.status.replace('_', ' ') : counted(table.row_count, 'row')}
                    </span>
                  </div>
                ))}
              </Steps.Item>
            ))}
          </Steps>
          {elapsed_seconds !== undefined && <p className="dimmed">{duration(elapsed_seconds * 1000)}</p>}
        </>
      )}
    </Loaded>
  </section>
);
