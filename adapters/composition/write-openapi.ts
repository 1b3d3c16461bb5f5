import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describePublicApi } from '../http/public/describe-public-api';
import { packageRoot, packageVersion } from './package-root';

/** Writes the description of the public API, as a system on the default port serves it, to docs/openapi.json. */
const document = describePublicApi({ version: packageVersion, baseUrl: 'http://localhost:8080' });
const file = join(packageRoot, 'docs', 'openapi.json');
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
process.stdout.write(`${file}: ${Object.keys(document.paths).length} paths\n`);
