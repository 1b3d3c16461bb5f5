import { answerBody, type AnyEndpoint } from '../../../../adapters/http/kit';
import { publicEndpoints } from '../../../../adapters/http/public/public-endpoints';
import { publicExamples } from '../../../../adapters/http/public/public-examples';
import { wrongExample } from '../../../support/documented-answers';

const endpoints: Readonly<Record<string, AnyEndpoint>> = publicEndpoints;

describe('the description of the public API', () => {
  it('shows a success of every operation; they are declared in its examples.ts', () => {
    const without = Object.entries(endpoints).filter(
      ([name, { success }]) => publicExamples[name]?.some(({ status }) => status === success.status) !== true,
    );
    expect(without.map(([name]) => name)).toEqual([]);
    expect(Object.keys(publicExamples).filter((name) => !(name in endpoints))).toEqual([]);
  });

  const examples = Object.entries(publicExamples).flatMap(([name, list]) =>
    list.map((example) => [`${name}: ${example.summary}`, name, example] as const),
  );
  it.each(examples)('matches its example %s', (_, name, example) => {
    const declared = endpoints[name];
    if (declared === undefined) throw new Error(`There is no endpoint ${name}.`);
    const body = example.status === 204 ? undefined : answerBody(declared, example);
    expect(wrongExample(declared, { ...example, answer: body })).toBeNull();
  });
});
