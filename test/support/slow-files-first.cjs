const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The slowest files first. On a fresh clone jest knows no durations; a long file that starts last keeps one worker busy
 * while the other is idle.
 */
const SLOW = [
  'proof/random-queries',
  'faults/killed-parts',
  'faults/demo-program',
  'runbooks/runbooks',
  'system/one-system',
  'simulation/troubled-lives',
  'system/exports',
  'proof/limits',
  'guides/guides',
  'faults/start-and-stop',
  'faults/terminated-pods',
  'faults/log-commands',
  'console/browser/explore',
  'console/browser/daily-use',
  'pod/graph/algorithms/algorithm-endpoints',
  'faults/rolling-upgrade',
  'faults/stores-in-trouble',
  'contracts/graph-engine/duckdb',
  'faults/work-of-two-control-planes',
  'pod/graph/loading/loaded-values',
  'pod/graph/engine/falkordb/falkordb-loading',
  'pod/graph/loading/load-graph',
  'console/browser/administration',
  'guides/readme',
  'console/browser/every-page',
  'faults/postgres-server',
  'proof/random-patterns',
  'faults/broken-mappings',
  'faults/guard-of-local-pods',
  'system/oidc',
  'proof/pod-permissions',
  'faults/pod-program',
  'faults/busy-pod',
  'proof/permissions',
  'console/browser/first-use',
  'contracts/graph-engine/falkordb',
  'proof/secrets',
  'pod/export-worker/export-worker',
  'console/browser/data',
  'faults/hostile-queries',
  'faults/npm-start',
  'faults/two-control-planes',
  'queries/instance-list',
  'simulation/instance-life',
  'pod/graph/algorithms/long-runs',
  'adapters/filesystem/data-folder',
  'faults/starts-at-once',
  'proof/random-requests',
  'system/restarted-system',
  'system/traces',
  'adapters/duckdb/warehouse-files',
  'system/system-without-pods',
  'simulation/troubled-log',
  'projections/read-feed',
  'system/system-with-api-keys',
];

const placeOf = ({ path }) => {
  const place = SLOW.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return place === -1 ? SLOW.length : place;
};

module.exports = class SlowFilesFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => placeOf(a) - placeOf(b));
  }
};
