// Turns a compiled control plane into its next version: adds a step of the schema, an event type in streams of a new
// category, a column of a read model, and a read model. `node --require` loads it before the program, whose modules it
// changes.
const { dirname, join } = require('node:path');

const program = process.argv[1] ?? '';
if (program.endsWith(join('adapters', 'start', 'start.js'))) {
  const dist = (path) => require(join(dirname(program), '..', '..', path));

  const { migrations } = dist('adapters/postgres/migrations/index.js');
  const id = migrations.at(-1).id + 1;
  const sql = 'ALTER TABLE es.leases ADD COLUMN IF NOT EXISTS note text';
  migrations.push({ id, name: 'a column of the next version', sql });

  const { eventSpec } = dist('domain/kernel/event-catalogue.js');
  const { right } = require(require.resolve('fp-ts/Either', { paths: [dirname(program)] }));
  dist('domain/events.js').allEvents.NoteWritten = eventSpec({ decode: right });

  const { mappingsProjection } = dist('projections/mappings.js');
  Object.assign(mappingsProjection, {
    version: mappingsProjection.version + 1,
    tables: `${mappingsProjection.tables} ALTER TABLE mappings ADD COLUMN note text;`,
  });
  mappingsProjection.on.NoteWritten = ({ data }, tables) =>
    tables.update('mappings', data.mappingId, { note: data.text });

  const { projections, READ_PATH } = dist('projections/registry.js');
  projections.push({
    name: 'notes',
    version: 1,
    tables: 'CREATE TABLE notes (mapping_id bigint PRIMARY KEY, text text NOT NULL);',
    exposes: ['notes'],
    on: { NoteWritten: ({ data }, tables) => tables.insert('notes', { mapping_id: data.mappingId, text: data.text }) },
  });
  READ_PATH.push('read_notes_v1');

  const commands = dist('commands/mapping/create-mapping.js');
  const { newEvent } = dist('commands/kit/handle-command.js');
  const { createMapping } = commands;
  commands.createMapping = async (ports, body, context) => {
    const created = await createMapping(ports, body, context);
    if (created._tag === 'Left') return created;
    const { mappingId } = created.right;
    const event = { type: 'NoteWritten', data: { mappingId, text: body.name } };
    const stored = newEvent(event, {}, ports.ids.derivedUuid(context.commandId, 'note'), context, ports.clock.now());
    const appended = await ports.store.append(`note-${mappingId}`, 'no_stream', [stored]);
    return appended._tag === 'Left' ? appended : created;
  };
}
