/** Streams of which there is only one get a name of the form `<category>-<id>`, as all others have. */
const toNewName = (table: string, column: string): string => `
UPDATE es.${table} SET ${column} = ${column} || '-cluster'
WHERE ${column} IN ('capacity', 'config', 'ops_guard', 'user_bootstrap');`;

export const streamNames = [
  toNewName('events', 'stream_id'),
  toNewName('streams', 'stream_id'),
  toNewName('parked', 'stream_id'),
  toNewName('parked', 'event_stream_id'),
].join('\n');
