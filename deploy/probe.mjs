// The health check of the images: `probe.mjs <variable of the port> <its default> <path>` fails unless the answer is good.
const [variable, standard, path] = process.argv.slice(2);
const { ok } = await fetch(`http://127.0.0.1:${process.env[variable] ?? standard}${path}`);
process.exitCode = ok ? 0 : 1;
