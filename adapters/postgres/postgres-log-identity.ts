import { type Pool } from 'pg';
import { type LogIdentity } from '../../domain/ports/log-identity';
import { orUnavailable } from './event-reader';

/** The identity of the log in `es.events`. */
export const createPostgresLogIdentity = (pool: Pool): LogIdentity => {
  const read = async (): Promise<string | null> => {
    const { rows } = await pool.query<{ log_id: string }>('SELECT log_id FROM es.log_identity');
    return rows[0]?.log_id ?? null;
  };
  return {
    read: () => orUnavailable(read),
    ensure: (id) =>
      orUnavailable(async () => {
        await pool.query('INSERT INTO es.log_identity (log_id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
        return (await read()) ?? id;
      }),
  };
};
