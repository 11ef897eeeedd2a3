import net from 'node:net';

const INFO = 'redis_version:7.4.0\r\nloading:0\r\n';

/** Stands in for Redis: speaks RESP on a local port, and knows the commands that the tests and the clients send. */
export async function startRedis() {
  const values = new Map();
  const commands = {
    HELLO: (version) => `%1\r\n$5\r\nproto\r\n:${version}\r\n`,
    GET: (key) => bulk(values.get(key)),
    SET: (key, value) => {
      values.set(key, value);
      return '+OK\r\n';
    },
    INFO: () => bulk(INFO),
    PING: () => '+PONG\r\n',
    CLIENT: () => '+OK\r\n',
    QUIT: () => '+OK\r\n',
  };
  const answer = ([name, ...args]) => commands[name.toUpperCase()]?.(...args) ?? `-ERR unknown command '${name}'\r\n`;
  const sockets = new Set();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    let text = '';
    socket.setEncoding('latin1').on('data', (part) => {
      text += part;
      for (let read = readCommand(text); read; read = readCommand(text)) {
        text = text.slice(read.length);
        socket.write(answer(read.parts));
      }
    });
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `redis://127.0.0.1:${server.address().port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function bulk(value) {
  return value === undefined ? '$-1\r\n' : `$${value.length}\r\n${value}\r\n`;
}

/** The first command of what has arrived: `*<parts>`, then for each part `$<length>` and its bytes. */
function readCommand(text) {
  const count = /^\*(\d+)\r\n/.exec(text);
  if (!count) return undefined;
  const parts = [];
  let length = count[0].length;
  while (parts.length < Number(count[1])) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(length));
    if (!size) return undefined;
    const start = length + size[0].length;
    length = start + Number(size[1]) + 2;
    if (text.length < length) return undefined;
    parts.push(text.slice(start, length - 2));
  }
  return { parts, length };
}
