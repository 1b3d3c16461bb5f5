const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The slowest files first. On a fresh clone jest knows no durations; a long file that starts last keeps one worker busy
 * while the other is idle.
 */
const SLOW = [
  'faults/killed-parts',
  'proof/random-queries',
  'faults/start-and-stop',
  'system/one-system',
  'runbooks/runbooks',
  'faults/log-commands',
  'faults/busy-pod',
  'faults/terminated-pods',
  'guides/guides',
  'console/browser/explore',
  'faults/stores-in-trouble',
  'system/exports',
  'simulation/troubled-lives',
  'faults/postgres-server',
  'guides/readme',
  'system/oidc',
  'adapters/duckdb/warehouse-files',
  'console/browser/daily-use',
  'pod/export-worker/export-worker',
  'faults/rolling-upgrade',
  'console/browser/administration',
  'proof/warehouse-rows',
  'faults/hostile-queries',
  'console/browser/every-page',
  'pod/graph/engine/falkordb/falkordb-loading',
  'pod/graph/running-pod',
  'faults/work-of-two-control-planes',
  'faults/demo-program',
  'faults/broken-mappings',
  'contracts/graph-engine/falkordb',
  'projections/verify',
  'proof/secrets',
  'faults/pod-program',
  'contracts/event-store/postgres-event-store',
  'proof/earlier-moments',
  'faults/two-control-planes',
  'logs/replay-gate',
  'console/browser/first-use',
  'contracts/graph-engine/duckdb',
  'console/browser/data',
  'proof/permissions',
  'proof/pod-permissions',
  'pod/graph/algorithms/algorithm-endpoints',
  'simulation/troubled-log',
  'faults/guard-of-local-pods',
  'proof/limits',
  'system/system-with-api-keys',
  'system/restarted-system',
  'faults/lost-queries',
  'system/system-without-pods',
  'proof/both-kinds',
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
