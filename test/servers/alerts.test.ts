import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { RULES_FILE } from '../support/monitoring-files';

const describeWithPromtool = spawnSync('promtool', ['--version']).status === 0 ? describe : describe.skip;

describeWithPromtool('the alerts, by promtool', () => {
  it('are valid rules', () => {
    expect(String(execFileSync('promtool', ['check', 'rules', RULES_FILE]))).toContain('SUCCESS: 12 rules found');
  });

  it('fire on their conditions only', () => {
    const { status, stdout, stderr } = spawnSync('promtool', [
      'test',
      'rules',
      join(__dirname, 'alerts.promtool.yaml'),
    ]);
    expect([status, String(stdout) + String(stderr)]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});
