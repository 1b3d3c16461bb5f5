// Runs `main.ts`: the tests' TypeScript is not compiled to files.
const { transformFileSync } = require('@swc/core');

require.extensions['.ts'] = (module, file) => module._compile(transformFileSync(file).code, file);
require('./main.ts');
