import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { packageRoot, packageVersion } from '../../../adapters/composition/package-root';
import { answerBody, type AnyEndpoint } from '../../../adapters/http/kit';
import { publicApiWords } from '../../../adapters/http/public/api-words';
import { describePublicApi } from '../../../adapters/http/public/describe-public-api';
import { publicExamples } from '../../../adapters/http/public/examples/public-examples';
import { publicEndpoints } from '../../../adapters/http/public/public-endpoints';
import { wrongExample } from '../../support/documented-answers';

const described = (baseUrl = 'http://localhost:8080'): unknown =>
  JSON.parse(JSON.stringify(describePublicApi({ version: packageVersion, baseUrl })));
const endpoints: Readonly<Record<string, AnyEndpoint>> = publicEndpoints;

describe('the description of the public API', () => {
  it('is valid OpenAPI 3.1', async () => {
    await expect(SwaggerParser.validate(described() as never)).resolves.toBeDefined();
  });

  it('lies in docs/openapi.json; `npm run openapi` writes it', () => {
    const written: unknown = JSON.parse(readFileSync(join(packageRoot, 'docs', 'openapi.json'), 'utf8'));
    expect(written).toEqual(described());
  });

  it('shows a success of every operation; they are declared in adapters/http/public/examples', () => {
    const without = Object.entries(endpoints).filter(
      ([name, { success }]) => publicExamples[name]?.some(({ status }) => status === success.status) !== true,
    );
    expect(without.map(([name]) => name)).toEqual([]);
    expect(Object.keys(publicExamples).filter((name) => !(name in endpoints))).toEqual([]);
  });

  it('has words for every tag and every parameter; they are declared in adapters/http/public/api-words.ts', () => {
    const { tags, paths } = describePublicApi({ version: '', baseUrl: '' });
    expect(tags?.filter(({ description }) => description === undefined)).toEqual([]);
    const parameters = Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap((operation) => operation['parameters'] as readonly Readonly<Record<string, unknown>>[])
      .filter((parameter) => !('$ref' in parameter));
    const unnamed = parameters.filter(({ name }) => !(String(name) in publicApiWords.parameters));
    expect(unnamed.map(({ name }) => name)).toEqual([]);
  });

  const examples = Object.entries(publicExamples).flatMap(([name, list]) =>
    list.map((example) => [`${name}: ${example.summary}`, name, example] as const),
  );
  it.each(examples)('fits its example %s', (_, name, example) => {
    const declared = endpoints[name];
    if (declared === undefined) throw new Error(`There is no endpoint ${name}.`);
    const body = example.status === 204 ? undefined : answerBody(declared, example);
    expect(wrongExample(declared, { ...example, answer: body })).toBeNull();
  });
});
