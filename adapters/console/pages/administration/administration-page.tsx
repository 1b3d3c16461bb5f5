import { Link, useSearch } from '@tanstack/react-router';
import { type ComponentType } from 'react';
import { useSession } from '../../api/session';
import { PageTitle } from '../../kit/view';
import { AuditPanel } from './audit-panel';
import { BulkPanel } from './bulk-panel';
import { ConfigPanel } from './config-panel';
import { HealthPanel } from './health-panel';
import { ExportJobsPanel, JobsPanel } from './jobs-panel';
import { ParkedPanel } from './parked-panel';
import { UsersPanel } from './users-panel';

interface Section {
  readonly tab: string;
  readonly title: string;
  readonly role: 'admin' | 'ops';
  readonly Panel: ComponentType;
}

const SECTIONS: readonly Section[] = [
  { tab: 'health', title: 'Health', role: 'ops', Panel: HealthPanel },
  { tab: 'jobs', title: 'Jobs', role: 'ops', Panel: JobsPanel },
  { tab: 'parked', title: 'Parked events', role: 'ops', Panel: ParkedPanel },
  { tab: 'export-jobs', title: 'Export jobs', role: 'admin', Panel: ExportJobsPanel },
  { tab: 'audit', title: 'Audit', role: 'admin', Panel: AuditPanel },
  { tab: 'users', title: 'Users', role: 'admin', Panel: UsersPanel },
  { tab: 'config', title: 'Configuration', role: 'ops', Panel: ConfigPanel },
  { tab: 'bulk', title: 'Delete in bulk', role: 'admin', Panel: BulkPanel },
];

/** Tasks of admins and ops; each role sees its own. */
export const AdministrationPage = () => {
  const { role } = useSession();
  const open = SECTIONS.filter((section) => role === 'ops' || section.role === role);
  const { tab = open[0]?.tab } = useSearch({ from: '/administration' });
  const wanted = SECTIONS.find((section) => section.tab === tab);
  const needed = wanted?.role ?? 'admin';
  return (
    <>
      <PageTitle mb="sm">Administration</PageTitle>
      {open.length > 0 && (
        <nav className="tabs" aria-label="Administration">
          {open.map((section) => (
            <Link
              key={section.tab}
              to="/administration"
              search={{ tab: section.tab }}
              aria-current={section === wanted ? 'page' : undefined}
            >
              {section.title}
            </Link>
          ))}
        </nav>
      )}
      {wanted !== undefined && open.includes(wanted) ? (
        <div className="sections">
          <wanted.Panel key={wanted.tab} />
        </div>
      ) : (
        <p>
          {open.length > 0 && wanted === undefined
            ? `Unknown tab ${tab ?? ''}. Choose one above.`
            : `This page needs the role ${needed}; yours is ${role}. ${needed === 'ops' ? 'Ops' : 'Admins and ops'} can change it.`}
        </p>
      )}
    </>
  );
};
