import { readSettings } from '../../../adapters/contracts/graph-pod/settings';
import { left, right } from './support/loaded-engine';
import { podEnvironment } from './support/pod-process';

const environment = podEnvironment('http://127.0.0.1:8081/', '/data/pods/1');

describe('the settings of a pod', () => {
  test('have defaults', () => {
    expect(right(readSettings(environment))).toMatchObject({
      instanceId: 42,
      controlPlaneUrl: 'http://127.0.0.1:8081',
      host: '127.0.0.1',
      port: 0,
      memoryBytes: 2 ** 30,
      cpuCores: 2,
      logLevel: 'info',
    });
  });

  test('all invalid and missing settings are listed at once', () => {
    const wrong = {
      ...environment,
      ROWGRAPH_POD_INSTANCE_ID: '0',
      ROWGRAPH_POD_PORT: 'high',
      ROWGRAPH_POD_TOKEN: undefined,
    };
    expect(left(readSettings(wrong))).toEqual([
      'ROWGRAPH_POD_INSTANCE_ID must be an integer of at least 1, not "0"',
      'ROWGRAPH_POD_PORT must be an integer from 0 to 65535, not "high"',
      'ROWGRAPH_POD_TOKEN is required (or ROWGRAPH_POD_TOKEN_FILE)',
    ]);
  });

  test.each([
    ['ROWGRAPH_POD_CONTROL_PLANE_URL', '127.0.0.1:8081'],
    ['ROWGRAPH_POD_WRAPPER_TYPE', 'graphdb_z'],
    ['ROWGRAPH_POD_CPU_CORES', '0'],
    ['ROWGRAPH_POD_SLUG', '../x'],
    ['ROWGRAPH_LOG_LEVEL', 'loud'],
  ])('%s is rejected as %s', (name, value) => {
    expect(left(readSettings({ ...environment, [name]: value }))).toEqual([expect.stringMatching(`^${name} must `)]);
  });
});
