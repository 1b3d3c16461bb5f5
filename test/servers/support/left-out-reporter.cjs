/** Names what ran and what was left out, and why, so that a run without a server is not taken for a proof. */
module.exports = class LeftOutReporter {
  onRunComplete(_contexts, { testResults }) {
    const filesWith = (status) =>
      testResults
        .map(({ testFilePath, testResults: tests }) => ({
          file: testFilePath.replace(`${process.cwd()}/`, ''),
          tests: tests.filter((test) => test.status === status).length,
        }))
        .filter(({ tests }) => tests > 0);
    const lines = (files) => files.map(({ file, tests }) => `  ${file}: ${tests}`);
    const [ran, leftOut] = [filesWith('passed'), filesWith('pending')];
    if (ran.length > 0) print(['Ran against servers:', ...lines(ran)]);
    if (leftOut.length === 0) return;
    print([
      'Left out, because there is no EventStoreDB server here (name its command in EVENTSTORED, or put `eventstored` on the path):',
      ...lines(leftOut),
    ]);
  }
};

const print = (lines) => process.stderr.write(`${lines.join('\n')}\n`);
