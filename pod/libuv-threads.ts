/**
 * Threads of libuv: each query of DuckDB and each export job occupies one, and files and names of hosts need some
 * beside. They start when other modules are loaded, so this one is imported before them.
 */
const jobs = Number(process.env['ROWGRAPH_WORKER_CONCURRENCY']) || 0;
process.env['UV_THREADPOOL_SIZE'] ??= String(16 + jobs);
