// Ends with an error on a Node.js that cannot run rowgraph, or would make its answers wrong. Checkouts and images run it.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail('rowgraph needs Node.js 20.19 or newer', 'Install a newer one from your package manager.');
}

// After a name that is one backslash, V8 13.0 to 14.6 reads another escaped name at its place as that one. A user's
// column or parameter with such a name would get the name of another.
JSON.parse('{"first":[],"\\\\":0}');
if (!Object.hasOwn(JSON.parse('{"first":1,"\\"":2}'), '"')) {
  const defect = 'JSON.parse of this Node.js changes names (https://github.com/nodejs/node/issues/63785)';
  fail(defect, 'Install Node.js 24.22.1 or newer, 22, or 20.19.');
}

function fail(problem, remedy) {
  process.stderr.write(`rowgraph: ${problem}; this is ${process.version}. ${remedy}\n`);
  process.exit(1);
}
