import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../system/package-root';
import { apiDocuments } from './api-documents';

/** Writes the OpenAPI documents to docs/. */
for (const [name, document] of Object.entries(apiDocuments)) {
  const file = join(packageRoot, 'docs', name);
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
  process.stdout.write(`${file}: ${Object.keys(document.paths).length} paths\n`);
}
