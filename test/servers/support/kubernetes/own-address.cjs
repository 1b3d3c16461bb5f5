const { Server } = require('node:net');

// A container has its own network: a server that listens on all addresses listens on that of the pod.
const { listen } = Server.prototype;
Server.prototype.listen = function (port, ...rest) {
  const hasHost = typeof port !== 'number' || typeof rest[0] === 'string';
  return hasHost ? listen.call(this, port, ...rest) : listen.call(this, port, process.env.POD_IP, ...rest);
};
