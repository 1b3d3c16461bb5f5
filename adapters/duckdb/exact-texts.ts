import * as accessors from '@duckdb/node-api/lib/vectors/dataAccessors';

/** The binding drops U+FEFF at the beginning of a text, where files that were joined have their byte order marks. */
Object.assign(accessors, { textDecoder: new TextDecoder('utf-8', { ignoreBOM: true }) });
