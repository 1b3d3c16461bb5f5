import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import express from 'express';
import { left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import pino from 'pino';
import {
  bind,
  type BodyPieces,
  endpoint,
  type Handlers,
  IdParams,
  pageFields,
  QueryTimestamp,
  requestIdMiddleware,
} from '../../../../adapters/http/kit';
import { createHttpServer } from '../../../../adapters/http/kit/http-server';
import { buildRouter, errorHandler, unknownRoute } from '../../../../adapters/http/kit/router';
import { remainingTimeMs } from '../../../../adapters/system/time-limit';
import { fields, integer, nullable, optional, text } from '../../../../domain/kernel/codecs';
import { domainError, invalidField } from '../../../../domain/kernel/errors';

export const TIMEOUT_MS = 5_000;

const Thing = t.strict({ id: t.number, received: t.unknown });
const Body = fields({
  name: text({ min: 1, max: 10, notBlank: true }),
  size: optional(nullable(integer(1, 8))),
  parts: optional(t.readonlyArray(fields({ label: t.string }))),
});

const endpoints = {
  createThing: endpoint('POST /things', {
    summary: 'Create',
    access: 'admin',
    validationDetails: 'map',
    body: Body,
    success: { status: 201, shape: 'data', body: Thing },
    errors: [],
  }),
  listThings: endpoint('GET /things', {
    summary: 'List',
    access: 'user',
    query: fields({ ...pageFields, after: optional(QueryTimestamp), search: optional(text({ min: 0, max: 5 })) }),
    success: { status: 200, shape: 'list', body: t.readonlyArray(t.unknown) },
    errors: [],
  }),
  changeThing: endpoint('PUT /things/{id}', {
    summary: 'Change',
    access: 'user',
    resource: 'thing',
    params: IdParams,
    body: Body,
    maxBodyBytes: 2000,
    success: { status: 200, shape: 'flat', body: Thing },
    errors: [],
  }),
  triggerThing: endpoint('POST /ops/things', {
    summary: 'Trigger',
    access: 'admin',
    validationCode: 'VALIDATION_ERROR',
    body: Body,
    success: { status: 200, shape: 'data', body: Thing },
    errors: [],
  }),
  deleteThing: endpoint('DELETE /things/{id}', {
    summary: 'Delete',
    access: 'user',
    resource: 'thing',
    params: IdParams,
    success: { status: 204, shape: 'empty', body: t.undefined },
    errors: [],
  }),
  readLarge: endpoint('GET /large/{id}', {
    summary: 'A body in pieces, of which those from 13 on cannot be read',
    access: 'anybody',
    params: IdParams,
    success: {
      status: 200,
      shape: 'data',
      body: t.readonlyArray(t.number),
      media: { 'text/csv': 'a number per line' },
    },
    errors: [],
  }),
  readRemainingTime: endpoint('GET /time-limit', {
    summary: 'How many milliseconds the operation has left',
    access: 'anybody',
    success: { status: 200, shape: 'data', body: t.number },
    errors: [],
  }),
  readNoTimeLimit: endpoint('GET /no-time-limit', {
    summary: 'The same for one that takes long',
    access: 'anybody',
    takesLong: true,
    success: { status: 200, shape: 'data', body: t.number },
    errors: [],
  }),
  askPod: endpoint('POST /pod', {
    summary: 'A pod answers errors as {detail}',
    access: 'anybody',
    detailErrors: ['VALIDATION_FAILED'],
    body: Body,
    success: { status: 200, shape: 'json_text', body: t.string },
    errors: [],
  }),
};

// oxlint-disable-next-line typescript/require-await -- pieces come one after the other, here as elsewhere
const countTo = async function* (end: number): BodyPieces {
  yield '[0';
  for (let number = 1; number <= end; number++) {
    if (number === 13) throw new Error('a damaged file');
    yield Buffer.from(`,${number}`);
  }
  yield ']';
};

const handlers: Handlers<typeof endpoints, string> = {
  createThing: ({ body }) =>
    Promise.resolve(
      body.name === 'away'
        ? left(domainError('SERVICE_UNAVAILABLE', 'Later.'))
        : body.name === 'refused'
          ? left(invalidField('size', 'is too small', { max_allowed: 3 }))
          : right({ body: { id: 1, received: body } }),
    ),
  listThings: ({ query }) =>
    Promise.resolve(right({ body: [query], page: { total: 7, offset: query.offset ?? 0, limit: query.limit ?? 50 } })),
  changeThing: ({ params, body }) => Promise.resolve(right({ body: { id: params.id, received: body } })),
  triggerThing: ({ body }) =>
    Promise.resolve(
      body.name === 'refused' ? left(invalidField('size', 'is too small')) : right({ body: { id: 1, received: body } }),
    ),
  deleteThing: ({ params }) => {
    if (params.id === 13) throw new Error('a bug');
    return Promise.resolve(right({ body: undefined }));
  },
  readLarge: ({ params, mediaType }) =>
    Promise.resolve(
      right(
        mediaType === null
          ? { body: [], bodyPieces: countTo(params.id) }
          : { body: [], bodyPieces: Readable.from(['0\n', '1\n']), mediaType },
      ),
    ),
  readRemainingTime: () => Promise.resolve(right({ body: remainingTimeMs(-1) })),
  readNoTimeLimit: () => Promise.resolve(right({ body: remainingTimeMs(-1) })),
  askPod: () => Promise.resolve(right({ body: '{"big": 9007199254740993}' })),
};

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: unknown;
}

/**
 * The kit around a few endpoints on a real server. `X-Role` is the role of the caller; without it a call is anonymous.
 */
export const serveSampleApi = async () => {
  const log = pino({ enabled: false });
  const app = express();
  app.use(requestIdMiddleware, (_request, response, next) => {
    response.setHeader('X-Event-Position', '42');
    next();
  });
  app.use(
    '/api',
    buildRouter(bind(endpoints, handlers), {
      log,
      authorize: (request, access) => {
        const role = request.get('X-Role');
        if (access === 'anybody') return Promise.resolve(right('anonymous'));
        if (role === undefined) return Promise.resolve(left(domainError('UNAUTHORIZED', 'Who are you?')));
        if (access === 'admin' && role !== 'admin')
          return Promise.resolve(left(domainError('FORBIDDEN', 'admin only')));
        return Promise.resolve(right(role));
      },
      timeoutMs: TIMEOUT_MS,
    }),
  );
  app.use(unknownRoute);
  app.use(errorHandler(log));
  const server = createHttpServer({ app, listener: app }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const call = async (
    method: string,
    path: string,
    {
      role = 'admin',
      body,
      raw,
      headers = {},
    }: {
      readonly role?: string | null;
      readonly body?: unknown;
      readonly raw?: string | Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Answer> => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: {
        ...(role === null ? {} : { 'X-Role': role }),
        ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
    });
    request.end(payload);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const text = (await buffer(response)).toString();
    const json = response.headers['content-type']?.startsWith('application/json') === true;
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text,
      body: json ? (JSON.parse(text) as unknown) : null,
    };
  };
  return { port, call, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
};
export type SampleApi = Awaited<ReturnType<typeof serveSampleApi>>;
