const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * What takes longest, longest first. On a fresh clone jest knows no durations; a long file that starts last keeps one
 * worker busy while the other has nothing to do.
 */
const SLOW = [
  'faults/killed-parts',
  'simulation/troubled-lives',
  'simulation/instance-life',
  'proof/limits',
  'pod/graph/pod-program',
  'faults/start-and-stop',
  'guides/guides',
  'system/broken-mappings',
  'system/instance-changes',
  'system/command-line',
  'pod/graph/algorithms/algorithm-endpoints',
  'system/administration',
  'system/public-api',
  'system/main-job',
  'proof/random-requests',
  'faults/work-of-two-control-planes',
  'faults/postgres-server',
  'pod/graph/loading/load-graph',
  'adapters/demo/demo-warehouse',
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
