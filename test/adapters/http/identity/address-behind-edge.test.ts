import express from 'express';
import { addressBehindEdge } from '../../../../adapters/http/identity';

const request = (headers: Readonly<Record<string, string>>): express.Request =>
  Object.assign(Object.create(express.request) as express.Request, { headers, socket: { remoteAddress: '127.0.0.1' } });

test.each([
  ['what the edge added', null, { 'x-forwarded-for': 'forged, 192.0.2.1' }, '192.0.2.1'],
  [
    'what the edge with its token added',
    'secret',
    { 'x-edge-token': 'secret', 'x-forwarded-for': '192.0.2.1' },
    '192.0.2.1',
  ],
  ["the connection's when the edge does not show its token", 'secret', { 'x-forwarded-for': '192.0.2.1' }, '127.0.0.1'],
  ["the connection's without a forwarded address", null, {}, '127.0.0.1'],
])('the address of a request is %s', (_, token, headers, address) =>
  expect(addressBehindEdge(token)(request(headers))).toBe(address),
);
