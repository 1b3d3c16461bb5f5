import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../adapters/system/package-root';
import { alertRules } from '../support/monitoring-files';

const page = readFileSync(join(packageRoot, 'docs', 'operations', 'runbooks', 'alerts.md'), 'utf8');
const sections = Array.from(page.matchAll(/^## (.+)$/gm), ([, title = '']) => title);

it('every alert has a section in the runbook under its name, and every section an alert', () => {
  expect(alertRules().map(({ alert }) => alert)).toEqual(sections);
  for (const { alert, annotations } of alertRules()) {
    expect(annotations.runbook_url).toBe(`docs/operations/runbooks/alerts.md#${alert.toLowerCase()}`);
  }
});

it('there are at most twelve alerts', () => {
  expect(alertRules().length).toBeLessThanOrEqual(12);
});
