import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../adapters/system/package-root';

const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');

interface Schema {
  readonly $defs: Readonly<Record<string, { readonly propertyNames?: object; readonly items?: object }>>;
}

it('the schema of the chart knows every field of pods and containers that the Kubernetes client knows', () => {
  const { $defs } = JSON.parse(read('deploy/helm/rowgraph/values.schema.json')) as Schema;
  const fieldsOf = (model: string): readonly (string | undefined)[] => [
    '$patch',
    ...Array.from(
      read(`node_modules/@kubernetes/client-node/dist/gen/models/${model}.js`).matchAll(/"baseName": "(\w+)"/g),
      ([, name]) => name,
    ),
  ];
  expect($defs['patchedPod']?.propertyNames).toEqual({ enum: fieldsOf('V1PodSpec') });
  expect($defs['patchedContainers']?.items).toMatchObject({ propertyNames: { enum: fieldsOf('V1Container') } });
});
