const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The slowest files first. On a fresh clone jest knows no durations; a long file that starts last keeps one worker busy
 * while the other is idle.
 */
const SLOW = [
  'faults/killed-parts',
  'faults/start-and-stop',
  'guides/guides',
  'contracts/graph-engine/kuzu',
  'faults/work-of-two-control-planes',
  'contracts/graph-engine/falkordb',
  'contracts/event-store/postgres-event-store',
  'system/exports',
  'faults/log-commands',
  'faults/postgres-server',
  'simulation/troubled-log',
  'pod/graph/loading/load-graph',
  'system/administration',
  'system/instance-changes',
  'pod/export-worker/export-worker',
  'faults/broken-mappings',
  'system/oidc',
  'pod/graph/loading/loaded-values',
  'proof/secrets',
  'faults/pod-program',
  'pod/graph/engine/falkordb/falkordb-loading',
  'faults/busy-pod',
  'system/command-line',
  'contracts/event-store/same-answers',
  'system/public-api',
  'proof/pod-permissions',
  'proof/permissions',
  'system/main-job',
  'faults/hostile-queries',
  'proof/random-patterns',
  'system/instance-access',
  'system/live-progress',
  'pod/graph/engine/gate/read-only-kuzu',
  'adapters/postgres/database-lock',
  'proof/limits',
  'pod/graph/engine/kuzu/kuzu-queries',
  'pod/graph/engine/gate/read-only-falkordb',
  'simulation/troubled-lives',
  'system/export-jobs',
  'system/metrics',
  'queries/instance-list',
  'faults/inspector-pool',
  'pod/graph/algorithms/long-runs',
  'pod/graph/algorithms/algorithm-endpoints',
  'system/request-lines',
  'faults/damaged-warehouse',
  'simulation/instance-life',
  'pod/graph/engine/falkordb/falkordb-writing',
  'system/background-jobs',
  'system/oidc-instances',
  'faults/lost-queries',
  'adapters/demo/demo-warehouse',
  'pod/graph/engine/kuzu/kuzu-writing',
  'projections/parked-events',
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
