import * as t from 'io-ts';
import { data, endpoint } from '../../kit';

export const healthEndpoints = {
  getHealth: endpoint({
    method: 'GET',
    path: '/health',
    summary: 'Whether the stores answer and the read models are up to date',
    access: 'user',
    success: data(t.strict({ status: t.literal('healthy') })),
  }),
};
