const { readFileSync } = require('node:fs');

/** What a test file needs, by the `describe` that skips it. */
const NEEDS = {
  describeWithEventStore:
    'there is no EventStoreDB server here (name its command in EVENTSTORED, or put `eventstored` on the path)',
  describeWithPostgres:
    'there is no PostgreSQL 15 here (install postgresql-15 and pgbouncer, or name the folder of its programs in POSTGRES_PROGRAMS)',
  describeWithTrino:
    'there is no Trino server with S3 here (name them in TRINO_URL and S3_ENDPOINT, as test/servers/README.md describes)',
  describeWithNeo4j: 'there is no Neo4j here (name its address in NEO4J_URL; the tests empty its database)',
  describeWithPromtool: 'promtool is not installed (Debian has it in the package prometheus)',
  describeWithKubernetes:
    'there is no Kubernetes API server here (name the kubeconfig of an administrator in KUBECONFIG)',
};

/** Lists what ran and what was skipped, with the reason, so that a run without a server is not mistaken for a proof. */
module.exports = class LeftOutReporter {
  onRunComplete(_contexts, { testResults }) {
    const filesWith = (status) =>
      testResults
        .map(({ testFilePath, testResults: tests }) => ({
          path: testFilePath,
          count: tests.filter((test) => test.status === status).length,
        }))
        .filter(({ count }) => count > 0)
        .map(({ path, count }) => ({ path, line: `  ${path.replace(`${process.cwd()}/`, '')}: ${count}` }));
    const [ran, leftOut] = [filesWith('passed'), filesWith('pending')];
    if (ran.length > 0) print(['Ran against servers:', ...ran.map(({ line }) => line)]);
    const reasons = new Map();
    for (const { path, line } of leftOut) {
      const source = readFileSync(path, 'utf8');
      const need = Object.keys(NEEDS).find((name) => source.includes(name));
      const reason = NEEDS[need] ?? 'its server is not here (test/servers/README.md)';
      reasons.set(reason, [...(reasons.get(reason) ?? []), line]);
    }
    for (const [reason, lines] of reasons) print([`Left out, because ${reason}:`, ...lines]);
  }
};

const print = (lines) => process.stderr.write(`${lines.join('\n')}\n`);
