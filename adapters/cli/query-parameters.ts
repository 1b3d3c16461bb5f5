import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { parseExactJson } from '../client';
import { type CliFailure, wrongUsage } from './failure';

type Parameters = Readonly<Record<string, unknown>>;

/** The values of `name=value` texts: JSON, or the text itself. */
export const parametersOf = (given: readonly string[]): Either<CliFailure, Parameters> => {
  const parameters: Record<string, unknown> = {};
  for (const text of given) {
    const parameter = parameterOf(text);
    if (isLeft(parameter)) return parameter;
    const [name, value] = parameter.right;
    parameters[name] = value;
  }
  return right(parameters);
};

const parameterOf = (text: string): Either<CliFailure, readonly [string, unknown]> => {
  const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    return left(
      wrongUsage(`Invalid parameter "${text}"; expected name=value, for example -p id=7 or -p 'names=["Ada"]'.`),
    );
  }
  const json = parseExactJson(value);
  if (holdsBigint(json)) {
    const advice = `-p '${name}="${value}"' and CAST($${name} AS INT64) in the query`;
    return left(wrongUsage(`${value} cannot be sent exactly; use ${advice}.`));
  }
  return right([name, json ?? value]);
};

const holdsBigint = (value: unknown): boolean =>
  typeof value === 'bigint' || (typeof value === 'object' && value !== null && Object.values(value).some(holdsBigint));
