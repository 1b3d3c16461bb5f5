import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { mapRight } from '../../domain/kernel/either';
import { type AnyInput, type ClientFailure, type ResultOf, type Success } from '../client';
import { publicEndpoints } from '../http/public/public-endpoints';
import { type Action, type CommandInput, nameOf, type Outcome } from './action';
import { type Session } from './connection';
import { type Answer, answered, type CliFailure } from './failure';
import { type Columns, listOutput, type Output } from './output';
import {
  argumentOptions,
  describeOption,
  listOptions,
  placeholderOf,
  readRequest,
  type RequestSpec,
} from './request-fields';
import { confirm, fieldOf, type RequestOption, yesOption } from './request-options';

type Endpoints = typeof publicEndpoints;
type RowOf<O> = O extends readonly (infer R)[] ? R : never;

/** The declaration of a command. The last three fields define the output. */
interface Details<O> extends Omit<RequestSpec, 'usage'> {
  readonly examples?: readonly string[];
  /** Checks the body before it is sent. */
  readonly check?: (session: Session, body: unknown, input: CommandInput) => Answer<unknown>;
  /** Question to confirm; null: none. */
  readonly question?: (input: CommandInput) => string | null;
  /** Idle timeout. */
  readonly timeoutMs?: number;
  /** For lists; adds the options of the operation. */
  readonly columns?: Columns<RowOf<O>>;
  /** The result as a sentence. `subject`: the first argument, a mapping or an instance by its id. */
  readonly text?: (data: O, subject: string) => string;
  /** Default: a record of all fields. The `data` of the result is that of the response, unless it is given. */
  readonly show?: (success: Success<O>, context: ShowContext) => Shown | Either<CliFailure, Shown> | Answer<Shown>;
}

type Shown = Partial<Output>;

interface ShowContext {
  readonly request: AnyInput;
  readonly subject: string;
  readonly input: CommandInput;
  readonly session: Session;
}

/**
 * A command for one operation of the API; its codecs describe arguments and options. With `<argument...>` one request
 * per argument is sent.
 *
 * @param summary Null: that of the operation.
 */
export const command = <K extends keyof Endpoints>(
  name: K,
  usage: string,
  summary: string | null,
  details: Details<ResultOf<Endpoints[K]>> = {},
): Action & { readonly run: (session: Session, input: CommandInput) => Outcome } => {
  const endpoint = publicEndpoints[name];
  const { examples = [], question } = details;
  const derived = details.columns === undefined ? [] : listOptions(endpoint);
  const options = [...(details.options ?? []), ...derived].map((one) => describeOption(endpoint, one));
  const spec = { ...details, usage, options };
  return {
    usage,
    summary: summary ?? endpoint.summary,
    examples,
    choices: Object.fromEntries(
      argumentOptions(endpoint, spec).flatMap(({ flags, choices }) =>
        choices === undefined ? [] : [[placeholderOf(flags), choices]],
      ),
    ),
    options: question === undefined ? options : [...options, yesOption],
    run: async (session, input) => {
      const inputs = usage.endsWith('...>') ? input.args.map((arg) => ({ ...input, args: [arg] })) : [input];
      const requests: (AnyInput & { readonly subject: string })[] = [];
      for (const one of inputs) {
        const request = await readRequest(endpoint, spec, session, one);
        if (isLeft(request)) return request;
        const checked = (await details.check?.(session, request.right.body, input)) ?? right(undefined);
        if (isLeft(checked)) return checked;
        requests.push(request.right);
      }
      const text = question?.(input) ?? null;
      const sure = text === null ? right(undefined) : await confirm(session.terminal, input, text);
      if (isLeft(sure)) return sure;
      const outputs: Output[] = [];
      for (const request of requests) {
        const output = await sendRequest(name, details, request, session, input);
        if (isLeft(output)) {
          const failure = inOptions(output.left, options, input);
          return outputs.length === 0 ? left(failure) : right({ ...joined(outputs, requests.length), failure });
        }
        outputs.push(output.right);
      }
      return right(joined(outputs, requests.length));
    },
  };
};

/** A failure that begins with the field of a given option, with the option instead. */
const inOptions = (failure: CliFailure, options: readonly RequestOption[], input: CommandInput): CliFailure => {
  const given = options.filter((one) => input.value(nameOf(one)) !== undefined);
  const lines = failure.lines.map((line) => {
    const [, before = '', field = ''] = /^( *|.*: )([a-z_.]+) (?=must |is )/.exec(line) ?? [];
    const one = given.find((candidate) => fieldOf(candidate) === field);
    return one === undefined ? line : `${before}--${nameOf(one)}${line.slice(before.length + field.length)}`;
  });
  return { ...failure, lines };
};

const sendRequest = async <K extends keyof Endpoints>(
  name: K,
  details: Details<ResultOf<Endpoints[K]>>,
  { subject, ...request }: AnyInput & { readonly subject: string },
  session: Session,
  input: CommandInput,
): Outcome => {
  const sent = sendUnchecked(session, name, { ...request, timeoutMs: details.timeoutMs });
  const answer = await answered(sent, (success) => success);
  if (isLeft(answer)) return answer;
  const result = await showOf(details)(answer.right, { subject, request, input, session });
  const shown = '_tag' in result ? result : right(result);
  return mapRight(shown, (output) => ({ data: answer.right.data, ...output }));
};

/** The results of several requests, or that of one; `requested`: their number, some of which may have failed. */
const joined = (outputs: readonly Output[], requested: number): Output => {
  const [first] = outputs;
  if (first !== undefined && requested === 1) return first;
  return {
    data: outputs.map(({ data }) => data),
    text: outputs.map(({ text = '' }) => text).join('\n'),
  };
};

/** Sends the input without checks: the server checks it with the codecs of the operation. */
export const sendUnchecked = <K extends keyof Endpoints>(
  { api }: Session,
  name: K,
  input: AnyInput,
): Promise<Either<ClientFailure, Success<ResultOf<Endpoints[K]>>>> =>
  (api[name] as unknown as (sent: AnyInput) => ReturnType<typeof sendUnchecked<K>>)(input);

const showOf = <O>({ columns, text, show }: Details<O>): NonNullable<Details<O>['show']> => {
  if (show !== undefined) return show;
  if (text !== undefined) return ({ data }, { subject }) => ({ text: text(data, subject) });
  // `columns` is only declared for lists.
  if (columns !== undefined) return (list) => listOutput(list as Success<never>, columns);
  return ({ data }) => ({ record: wholeRecord(data ?? {}) });
};

export const wholeRecord = (data: object): NonNullable<Output['record']> =>
  Object.entries(data).map(([name, value]) => [name.replaceAll('_', ' '), value]);
