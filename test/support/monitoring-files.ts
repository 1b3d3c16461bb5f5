import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as t from 'io-ts';
import { parse } from 'yaml';
import { packageRoot } from '../../adapters/system/package-root';
import { expectRight } from './given-when-then';

const CHART = join(packageRoot, 'deploy', 'helm', 'rowgraph');
export const RULES_FILE = join(CHART, 'rules', 'rowgraph.yaml');

const Rule = t.type({
  alert: t.string,
  expr: t.string,
  annotations: t.type({ summary: t.string, runbook_url: t.string }),
});
const Rules = t.type({ groups: t.array(t.type({ rules: t.array(Rule) })) });
const Dashboard = t.type({ panels: t.array(t.partial({ targets: t.array(t.type({ expr: t.string })) })) });

export const alertRules = (): readonly t.TypeOf<typeof Rule>[] =>
  expectRight(Rules.decode(parse(readFileSync(RULES_FILE, 'utf8')))).groups.flatMap(({ rules }) => rules);

export const dashboardQueries = (): readonly string[] => {
  const file = readFileSync(join(CHART, 'dashboards', 'rowgraph.json'), 'utf8');
  const { panels } = expectRight(Dashboard.decode(JSON.parse(file)));
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
};
