import express from 'express';
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { endpoint, type Reply } from '../../../../adapters/http/kit';
import { type CallContext } from '../../../../adapters/http/kit/router';
import { repeatAnswers } from '../../../../adapters/http/public/idempotency';
import { type ApiCaller } from '../../../../adapters/http/public/public-dependencies';
import { createPostgresIdempotencyStore } from '../../../../adapters/postgres/postgres-idempotency-store';
import { requestContext } from '../../../../commands/kit/command-context';
import { type DomainError, domainError } from '../../../../domain/kernel/errors';
import { createTestPool } from '../../../support/create-test-pool';
import { createInMemoryIdGenerator } from '../../../support/in-memory/in-memory-id-generator';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres';
import { waitFor } from '../../../support/wait-for';

const ada = { username: 'ada', role: 'analyst' } as const;
const ids = createInMemoryIdGenerator();

type Result = Either<DomainError, Reply<unknown>>;

describe('a request with an idempotency key', () => {
  let database: TestDatabase;
  let pool: ReturnType<typeof createTestPool>;
  let repeat: ReturnType<typeof repeatAnswers>;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createTestPool({ connectionString: database.connectionString });
    repeat = repeatAnswers(createPostgresIdempotencyStore(pool));
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const post = endpoint('POST /things', {
    summary: 'Make a thing',
    access: 'user',
    success: { status: 201, shape: 'data', body: t.unknown },
    errors: [],
  });
  const send = (
    key: string,
    outcomes: ((commandId?: string) => Promise<Result>)[],
    body: object = {},
    through = repeat,
  ): Promise<Result> => {
    const request = Object.assign(Object.create(express.request) as express.Request, {
      headers: { 'idempotency-key': key },
      method: 'POST',
      baseUrl: '/api',
      url: '/things',
    });
    const bound = { name: 'post', endpoint: post, handle: () => Promise.reject(new Error('not used')) };
    const context: CallContext<ApiCaller> = {
      request,
      body,
      identity: { ...ada, displayName: null, context: requestContext(ids, ada, 'request') },
      bound,
      disconnected: new AbortController().signal,
    };
    const next = outcomes.shift();
    return through(context, (identity) =>
      next === undefined ? Promise.reject(new Error('not expected')) : next(identity?.context.commandId),
    );
  };
  const made = right({ body: { id: 1 } });
  const succeeds = () => Promise.resolve(made);

  it('is executed once, whether it succeeds or is rejected', async () => {
    const refusal = left(domainError('INVALID_STATE', 'Not now.'));
    for (const [key, result] of [
      ['ok', made],
      ['no', refusal],
    ] as const) {
      const outcomes = [() => Promise.resolve(result)];
      expect(await send(key, outcomes)).toEqual(result);
      expect(await send(key, outcomes)).toEqual(result);
    }
  });

  it('is one command across crashes of the process, and a new one a day later', async () => {
    const seen: (string | undefined)[] = [];
    const dies = (commandId?: string): Promise<Result> => {
      seen.push(commandId);
      return new Promise(() => undefined);
    };
    const answers = (commandId?: string): Promise<Result> => {
      seen.push(commandId);
      return succeeds();
    };
    const age = (what: string) => pool.query(`UPDATE es.idempotency SET ${what} WHERE key = 'dying'`);
    const itsPool = createTestPool({ connectionString: database.connectionString });
    void send('dying', [dies], {}, repeatAnswers(createPostgresIdempotencyStore(itsPool)));
    await waitFor('the first request is in progress', () => seen.length === 1);
    await itsPool.end();
    const repeated = send('dying', [answers]);
    expect(await send('dying', [], { another: 'body' })).toMatchObject(left({ code: 'VALIDATION_FAILED' }));
    await age(`held_at = now() - interval '11 seconds'`);
    expect(await repeated).toEqual(made);
    expect(seen).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), seen[0]]);
    await age(`created_at = now() - interval '25 hours'`);
    await send('dying', [answers]);
    expect(seen[2]).not.toBe(seen[0]);
  });

  it('waits for the answer to the first one, including one at another control plane', async () => {
    const other = createTestPool({ connectionString: database.connectionString });
    const there = repeatAnswers(createPostgresIdempotencyStore(other));
    let answerFirst: (() => void) | null = null;
    const first = send('waiting', [() => new Promise<Result>((resolve) => (answerFirst = () => resolve(made)))]);
    await waitFor('the first request is in progress', () => answerFirst !== null);
    const repeated = [send('waiting', []), send('waiting', [], {}, there)];
    answerFirst!();
    expect(await Promise.all([first, ...repeated])).toEqual([made, made, made]);
    await other.end();
  });

  it('is answered 503 when the first one takes too long', async () => {
    const impatient = repeatAnswers(createPostgresIdempotencyStore(pool), 300);
    let isUnderWay = false;
    const never = (): Promise<Result> => {
      isUnderWay = true;
      return new Promise(() => undefined);
    };
    void send('slow', [never]);
    await waitFor('the request is in progress', () => isUnderWay);
    expect(await send('slow', [], {}, impatient)).toMatchObject(
      left({ code: 'SERVICE_UNAVAILABLE', details: { retry_after_seconds: expect.any(Number) as number } }),
    );
  });

  it('is the same command when it is retried after a 503', async () => {
    const seen: (string | undefined)[] = [];
    const outcomes = [1, 2].map((time) => (commandId?: string): Promise<Result> => {
      seen.push(commandId);
      return time === 1 ? Promise.resolve(left(domainError('SERVICE_UNAVAILABLE', 'Later.'))) : succeeds();
    });
    await send('unknown-outcome', outcomes);
    expect(await send('unknown-outcome', outcomes)).toEqual(made);
    expect(seen).toEqual([expect.any(String), seen[0]]);
  });

  it.each([
    ['unanswered', () => Promise.resolve(left(domainError('SERVICE_UNAVAILABLE', 'Later.')))],
    ['broken', () => Promise.reject(new Error('a bug'))],
  ])('can be retried at once when the first was %s', async (what, fails: () => Promise<Result>) => {
    const outcomes = [fails, succeeds];
    await send(what, outcomes).catch(() => undefined);
    expect(await send(what, outcomes)).toEqual(made);
  });
});
