/**
 * Threads of libuv: each query of DuckDB occupies one, and files and names of hosts need some beside. They start when
 * other modules are loaded, so this one is imported before them.
 */
process.env['UV_THREADPOOL_SIZE'] ??= '16';
