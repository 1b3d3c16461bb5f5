import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fieldErrors } from '../../domain/kernel/codecs';
import { type Endpoint } from '../http/kit';
import { type Given } from './action';
import { type CliFailure, failed } from './failure';
import { parseInput, readTextInput } from './json-input';
import { type Terminal } from './terminal';

/** The body in the file somebody named, with what the options say instead, checked before it is sent. */
export const readBody = async <P, Q, B, O>(
  endpoint: Endpoint<P, Q, B, O>,
  given: Given,
  terminal: Terminal,
  extra: Readonly<Record<string, unknown>>,
): Promise<Either<CliFailure, B>> => {
  const file = given.text('file');
  const text = file === undefined ? right('{}') : await readTextInput(file, terminal);
  if (isLeft(text)) return text;
  const parsed = await parseInput(text.right, file ?? '');
  if (isLeft(parsed)) return parsed;
  const codec: t.Decoder<unknown, B> = endpoint.body ?? t.never;
  const body = codec.decode({ ...parsed.right, ...extra });
  if (!isLeft(body)) return body;
  const complaints = fieldErrors(body.left).map(({ field, message }) => `  ${field} ${message}`);
  return left(failed(`${file ?? 'What you gave'} is not as it has to be:`, ...complaints));
};
