/** Stands in the browser for what declarations of the API import of Node.js; only the server calls it. */
const missing = (): never => {
  throw new Error('This is part of the server.');
};

export { missing as createHash, missing as randomUUID, missing as pipeline, missing as once };
